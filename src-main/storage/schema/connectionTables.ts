/** Tables of connections: connectors with their settings, a bound and throttles under a name, which jobs share. */
export const connectionTables = `
CREATE TABLE connection (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE, -- never changes: definitions name it
  description TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL CHECK (kind IN ('repository', 'output')),
  settings TEXT NOT NULL,                   -- JSON: its connector, which never changes, and the settings of the connector
  connections_max INTEGER NOT NULL CHECK (connections_max >= 1) -- uses at once, over all jobs
);
CREATE TABLE connection_throttle (          -- limits of the bins that match, over all jobs of a repository connection; null: unlimited
  connection_id INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  match TEXT NOT NULL,
  description TEXT,
  fetches_per_minute REAL CHECK (fetches_per_minute >= 0),
  connections_max INTEGER CHECK (connections_max >= 1), -- per bin
  bytes_per_second INTEGER CHECK (bytes_per_second >= 1),
  PRIMARY KEY (connection_id, position),
  UNIQUE (connection_id, match)
) WITHOUT ROWID;

-- Copied out of the definition, so that the jobs of a connection are found without parsing every definition.
ALTER TABLE harvest ADD COLUMN repository_connection TEXT
  GENERATED ALWAYS AS (json_extract(definition, '$.connectors.repositoryConnection')) VIRTUAL;
ALTER TABLE harvest ADD COLUMN output_connection TEXT
  GENERATED ALWAYS AS (json_extract(definition, '$.connectors.outputConnection')) VIRTUAL;
CREATE INDEX harvest_by_repository_connection ON harvest (repository_connection) WHERE repository_connection IS NOT NULL;
CREATE INDEX harvest_by_output_connection ON harvest (output_connection) WHERE output_connection IS NOT NULL;
CREATE INDEX job_by_harvest ON job (harvest_id);
`
