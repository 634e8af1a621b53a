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
INSERT INTO connector (name, kind, version, state) VALUES
  ('web', 'repository', 1, 'INSTALLED'), ('sitemap', 'repository', 1, 'INSTALLED'),
  ('feed', 'repository', 1, 'INSTALLED'), ('folder', 'repository', 1, 'INSTALLED'),
  ('archive', 'output', 1, 'INSTALLED'), ('null', 'output', 1, 'INSTALLED');
`,
}
