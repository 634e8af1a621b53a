/** Tables of the authority service: domains, groups, connections and connectors, by the names of ManifoldCF. Requests are in memory only. */

export const authorityTables = `
CREATE TABLE authdomain (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT ''
);
INSERT INTO authdomain (name) VALUES ('');  -- the default domain
CREATE TABLE authgroup (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 32), -- never changes: tokens begin with it
  description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 255)
);
CREATE TABLE mapconnection (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE, -- never changes
  description TEXT NOT NULL DEFAULT '',
  connector TEXT NOT NULL COLLATE NOCASE,   -- name of a connector, which may not be installed
  settings TEXT NOT NULL,                   -- JSON: settings of the connector by name; no secrets
  mapping_id INTEGER REFERENCES mapconnection(id), -- the mapping that comes before; null: none
  connections_max INTEGER NOT NULL CHECK (connections_max >= 1), -- questions at once
  answer_seconds_max INTEGER NOT NULL CHECK (answer_seconds_max >= 1),
  cache_seconds INTEGER NOT NULL CHECK (cache_seconds >= 0),     -- 0: answers are not kept
  cached_users_max INTEGER NOT NULL CHECK (cached_users_max >= 1)
);
CREATE INDEX mapconnection_by_mapping ON mapconnection (mapping_id) WHERE mapping_id IS NOT NULL;
CREATE TABLE authconnection (             -- columns as above
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  connector TEXT NOT NULL COLLATE NOCASE,
  settings TEXT NOT NULL,
  mapping_id INTEGER REFERENCES mapconnection(id),
  connections_max INTEGER NOT NULL CHECK (connections_max >= 1),
  answer_seconds_max INTEGER NOT NULL CHECK (answer_seconds_max >= 1),
  cache_seconds INTEGER NOT NULL CHECK (cache_seconds >= 0),
  cached_users_max INTEGER NOT NULL CHECK (cached_users_max >= 1),
  domain_id INTEGER NOT NULL REFERENCES authdomain(id),
  group_id INTEGER NOT NULL REFERENCES authgroup(id)
);
CREATE INDEX authconnection_by_domain ON authconnection (domain_id);
CREATE INDEX authconnection_by_group ON authconnection (group_id);
CREATE INDEX authconnection_by_mapping ON authconnection (mapping_id) WHERE mapping_id IS NOT NULL;
CREATE TABLE security_rule (                -- which tokens captures need
  id INTEGER PRIMARY KEY,
  job INTEGER,                              -- null: captures of every job
  surt_prefix TEXT NOT NULL,                -- of the URL; empty: every URL
  level TEXT NOT NULL CHECK (level IN ('document', 'parent', 'share')),
  group_id INTEGER NOT NULL REFERENCES authgroup(id),
  allow TEXT NOT NULL,                      -- JSON: tokens
  deny TEXT NOT NULL
);
CREATE UNIQUE INDEX security_rule_place ON security_rule (COALESCE(job, 0), surt_prefix, level, group_id);
CREATE INDEX security_rule_by_group ON security_rule (group_id);
CREATE TABLE authority_connector (          -- those of Loupe, and modules of the user
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('authority', 'mapping')),
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  module TEXT,                              -- absolute path; null: a connector of Loupe
  state TEXT NOT NULL,                      -- connectorStates
  UNIQUE (kind, name)
);
INSERT INTO authority_connector (kind, name, state) VALUES
  ('authority', 'null', 'INSTALLED'), ('authority', 'file', 'INSTALLED'), ('authority', 'ldap', 'INSTALLED'),
  ('mapping', 'pattern', 'INSTALLED');
`
