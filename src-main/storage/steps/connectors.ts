/** Step 19 of the schema: the connectors that are installed. */
export const connectorsStep = {
  number: 19,
  sql: `
CREATE TABLE connector (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('repository', 'output')),
  version INTEGER NOT NULL,                 -- the newest that this archive was used with
  state TEXT NOT NULL                       -- connectorStates
);
-- What a harvest uses is said in its definition; here so that its jobs are found without reading every definition.
ALTER TABLE harvest ADD COLUMN repository TEXT GENERATED ALWAYS AS
  (COALESCE(json_extract(definition, '$.connectors.repository.connector'), 'web')) VIRTUAL;
ALTER TABLE harvest ADD COLUMN output TEXT GENERATED ALWAYS AS
  (COALESCE(json_extract(definition, '$.connectors.output'), 'archive')) VIRTUAL;
CREATE INDEX harvest_by_repository ON harvest (repository, kind);
CREATE INDEX harvest_by_output ON harvest (output, kind);

-- Whatever may change whether a job has its connectors marks it, so that nobody can forget to.
CREATE INDEX job_to_assess ON job (id) WHERE is_assessed = 0;
CREATE TRIGGER job_is_new AFTER INSERT ON job BEGIN
  UPDATE job SET is_assessed = 0 WHERE id = NEW.id;
END;
CREATE TRIGGER harvest_is_changed AFTER UPDATE OF definition ON harvest BEGIN
  UPDATE job SET is_assessed = 0 WHERE harvest_id = NEW.id;
END;
CREATE TRIGGER connector_is_moved AFTER UPDATE OF state ON connector BEGIN
  UPDATE job SET is_assessed = 0 WHERE harvest_id IN (SELECT id FROM harvest WHERE repository = NEW.name AND kind = 'event');
  UPDATE job SET is_assessed = 0 WHERE harvest_id IN (SELECT id FROM harvest WHERE output = NEW.name AND kind = 'event');
END;

-- The state that a document is in, as whatever listed it last says, and as it was when it was taken last.
ALTER TABLE document ADD COLUMN listed_version TEXT;
ALTER TABLE document ADD COLUMN taken_version TEXT;

INSERT INTO connector (name, kind, version, state) VALUES
  ('web', 'repository', 1, 'INSTALLED'), ('sitemap', 'repository', 1, 'INSTALLED'),
  ('feed', 'repository', 1, 'INSTALLED'), ('folder', 'repository', 1, 'INSTALLED'),
  ('archive', 'output', 1, 'INSTALLED'), ('null', 'output', 1, 'INSTALLED');
`,
}
