/** Step 24 of the schema: the definition of a job may be changed, and each run is told by what it ran with, also one that was
 *  stopped while it was being stored. */
export const definitionStep = {
  number: 24,
  sql: `
-- Counted up by each change of the definition: a run that reads another number than before goes on with the new one.
ALTER TABLE job ADD COLUMN definition_version INTEGER NOT NULL DEFAULT 0;
-- The definition whose seeds are in the queue; another than definition_version: there are seeds to be taken up.
ALTER TABLE job ADD COLUMN seeded_version INTEGER NOT NULL DEFAULT 0;

-- 0: its last run was stopped while its files were being stored, and its metadata file may have to be written yet.
ALTER TABLE job ADD COLUMN is_described INTEGER NOT NULL DEFAULT 1;
CREATE INDEX job_to_describe ON job (id) WHERE is_described = 0;

CREATE TABLE run_definition (                 -- in the order in which they held; the newest is the one of the harvest
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,                       -- the first run that it held for
  from_ms INTEGER,                            -- since when in that run; null: from its start
  definition TEXT NOT NULL
);
CREATE INDEX run_definition_by_job ON run_definition (job_id, id);
INSERT INTO run_definition (job_id, run, definition)
SELECT job.id, 1, harvest.definition FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE harvest.kind = 'event';
`,
}
