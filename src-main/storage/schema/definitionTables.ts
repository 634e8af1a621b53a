/** Tables of harvest definitions: domains with their configurations, templates, schedules, harvests, the jobs that they generate, and what
 *  the jobs fetched of each domain. Limits: null is unlimited. */
export const definitionTables = `
-- The harvest definition that generated the job, the number of the harvest in its files; null: a user started it.
ALTER TABLE harvest ADD COLUMN definition_id INTEGER;
CREATE TABLE job_setup_record (             -- further records of the metadata file of a generated job
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
) WITHOUT ROWID;

CREATE TABLE template (                     -- crawl settings under a name; every change is a version
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  comments TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1        -- the newest
);
CREATE TABLE template_version (
  template_id INTEGER NOT NULL REFERENCES template(id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  settings TEXT NOT NULL,                   -- TOML as it was written, shape TemplateSettings of the contract
  created_ms INTEGER,                       -- null: it came with Loupe
  PRIMARY KEY (template_id, version)
) WITHOUT ROWID;
INSERT INTO template (name) VALUES ('default');
INSERT INTO template_version (template_id, version, settings) SELECT id, 1, '' FROM template;

CREATE TABLE domain (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,                -- in lower case, ASCII
  comments TEXT NOT NULL DEFAULT '',
  default_configuration_id INTEGER,
  alias_of INTEGER REFERENCES domain(id),   -- snapshots harvest that domain instead, until the alias expires
  alias_set_ms INTEGER,
  traps TEXT NOT NULL DEFAULT '[]',         -- JSON: patterns of URLs of this domain that are not fetched
  fields TEXT NOT NULL DEFAULT '{}',        -- JSON: values of extended fields, by name
  created_ms INTEGER NOT NULL
);
CREATE INDEX domain_by_alias ON domain (alias_of) WHERE alias_of IS NOT NULL;
CREATE TABLE seed_list (
  id INTEGER PRIMARY KEY,
  domain_id INTEGER NOT NULL REFERENCES domain(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  seeds TEXT NOT NULL,                      -- one URL per line; a line that begins with # is a comment
  comments TEXT NOT NULL DEFAULT '',
  UNIQUE (domain_id, name)
);
CREATE TABLE configuration (                -- one way of harvesting a domain
  id INTEGER PRIMARY KEY,
  domain_id INTEGER NOT NULL REFERENCES domain(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  template_id INTEGER NOT NULL REFERENCES template(id),
  objects_max INTEGER CHECK (objects_max >= 0),
  bytes_max INTEGER CHECK (bytes_max >= 0),
  login TEXT,                               -- JSON, login areas as in the contract; null: none
  fields TEXT NOT NULL DEFAULT '{}',        -- JSON: values of extended fields, by name
  comments TEXT NOT NULL DEFAULT '',
  UNIQUE (domain_id, name)
);
CREATE INDEX configuration_by_template ON configuration (template_id);
CREATE TABLE configuration_seed_list (
  configuration_id INTEGER NOT NULL REFERENCES configuration(id) ON DELETE CASCADE,
  seed_list_id INTEGER NOT NULL REFERENCES seed_list(id),
  PRIMARY KEY (configuration_id, seed_list_id)
) WITHOUT ROWID;
CREATE INDEX configuration_by_seed_list ON configuration_seed_list (seed_list_id);
CREATE TABLE trap_list (                    -- patterns of URLs that no generated job fetches
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  comments TEXT NOT NULL DEFAULT '',
  is_active INTEGER NOT NULL DEFAULT 1,
  patterns TEXT NOT NULL                    -- JSON
);
CREATE TABLE extended_field (               -- further fields of domains, configurations or harvests, as an institution defines them
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL CHECK (subject IN ('domain', 'configuration', 'harvest')),
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'number', 'boolean', 'date', 'choice', 'note')),
  choices TEXT NOT NULL DEFAULT '[]',       -- JSON, of kind choice
  usual TEXT,                               -- JSON: the value of those that give none
  is_required INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL,
  UNIQUE (subject, name)
);

CREATE TABLE harvest_schedule (             -- when a selective harvest runs
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  comments TEXT NOT NULL DEFAULT '',
  timing TEXT NOT NULL,                     -- JSON, shape HarvestTiming of the contract
  is_built_in INTEGER NOT NULL DEFAULT 0
);
INSERT INTO harvest_schedule (name, timing, is_built_in) VALUES
  ('Hourly', '{"unit":"hour"}', 1), ('Daily', '{"unit":"day"}', 1), ('Weekly', '{"unit":"week"}', 1), ('Monthly', '{"unit":"month"}', 1);

CREATE TABLE harvest_definition (
  -- Above every number of this table and of harvest: both are harvest numbers in metadata files.
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('selective', 'event', 'snapshot')),
  is_active INTEGER NOT NULL DEFAULT 0,
  comments TEXT NOT NULL DEFAULT '',
  audience TEXT NOT NULL DEFAULT '',
  schedule_id INTEGER REFERENCES harvest_schedule(id), -- of a selective harvest
  objects_max INTEGER CHECK (objects_max >= 0), -- per domain
  bytes_max INTEGER CHECK (bytes_max >= 0), -- per domain
  seconds_max INTEGER CHECK (seconds_max >= 0), -- per job
  previous_id INTEGER REFERENCES harvest_definition(id), -- a snapshot takes only domains that this one did not complete
  channel TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  fields TEXT NOT NULL DEFAULT '{}',        -- JSON: values of extended fields, by name
  runs INTEGER NOT NULL DEFAULT 0,          -- generations so far
  next_run_ms INTEGER,                      -- null: it is not planned
  failure TEXT,                             -- JSON, a message: why a generation deactivated it
  created_ms INTEGER NOT NULL
);
CREATE INDEX harvest_definition_by_next_run ON harvest_definition (next_run_ms) WHERE is_active AND next_run_ms IS NOT NULL;
CREATE TABLE harvest_configuration (        -- the configurations of selective and event harvests
  definition_id INTEGER NOT NULL REFERENCES harvest_definition(id) ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL REFERENCES configuration(id) ON DELETE CASCADE,
  PRIMARY KEY (definition_id, configuration_id)
) WITHOUT ROWID;
CREATE INDEX harvest_by_configuration ON harvest_configuration (configuration_id);

CREATE TABLE generated_job (                -- a job of the engine that a harvest generated; its status is derived from the job
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  definition_id INTEGER NOT NULL REFERENCES harvest_definition(id),
  run INTEGER NOT NULL,                     -- generation of the harvest, from 1
  channel TEXT NOT NULL,
  template_id INTEGER REFERENCES template(id) ON DELETE SET NULL,
  template_name TEXT NOT NULL,
  template_version INTEGER NOT NULL,
  objects_max INTEGER,                      -- per domain
  bytes_max INTEGER,                        -- per domain
  objects_expected INTEGER NOT NULL,
  closed_because TEXT,                      -- JSON: the configuration that did not fit, and why; null: it was the last job
  is_ready INTEGER NOT NULL DEFAULT 0,      -- 0: its generation is not complete; a start removes what a killed one left
  submitted_ms INTEGER,                     -- null: new
  resubmitted_as INTEGER,                   -- the job that repeats it
  continuation_of INTEGER,                  -- the failed job that it repeats
  rejected_ms INTEGER                       -- when a user gave the failed job up
);
CREATE INDEX generated_job_by_definition ON generated_job (definition_id, run, job_id);
CREATE INDEX generated_job_new ON generated_job (channel, job_id) WHERE submitted_ms IS NULL AND is_ready = 1;
CREATE INDEX generated_job_incomplete ON generated_job (job_id) WHERE is_ready = 0;
CREATE TABLE generated_configuration (
  job_id INTEGER NOT NULL REFERENCES generated_job(job_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,                -- in which they were added to the job
  configuration_id INTEGER,                 -- null after it was deleted
  domain TEXT NOT NULL,
  name TEXT NOT NULL,
  objects_expected INTEGER NOT NULL,
  estimate TEXT NOT NULL,                   -- JSON: how the expectation was computed
  PRIMARY KEY (job_id, position)
) WITHOUT ROWID;
CREATE INDEX generated_configuration_by_domain ON generated_configuration (domain, job_id);

-- Run of the job whose results per domain are stored. Not a time: the clock may have been set back between two runs.
ALTER TABLE job ADD COLUMN counted_run INTEGER NOT NULL DEFAULT 0;
CREATE INDEX job_to_count ON job (id) WHERE counted_run <> run;
CREATE TABLE job_statistics (               -- jobs whose results per domain are stored; stays when the job is deleted
  job_id INTEGER PRIMARY KEY,
  definition_id INTEGER,                    -- null: the job was not generated
  run INTEGER,                              -- generation of the harvest
  ended_ms INTEGER NOT NULL,
  objects INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
CREATE INDEX job_statistics_by_definition ON job_statistics (definition_id, run);
CREATE TABLE domain_result (                -- what a job fetched of a domain; stays when the job is deleted
  job_id INTEGER NOT NULL,
  domain TEXT NOT NULL,
  configuration TEXT NOT NULL,              -- '': the job was not generated, or the domain is not in it
  definition_id INTEGER,                    -- null: the job was not generated
  run INTEGER,                              -- generation of the harvest
  at_ms INTEGER NOT NULL,                   -- end of the job
  objects INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  stop_reason TEXT NOT NULL,
  PRIMARY KEY (job_id, domain)
) WITHOUT ROWID;
CREATE INDEX domain_result_by_domain ON domain_result (domain, configuration, at_ms);
CREATE INDEX domain_result_by_definition ON domain_result (definition_id, run);
`
