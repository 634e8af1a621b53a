/** Step 21 of the schema: the history, what the harvester did. Its rows are the most of all tables, and they are only added and,
 *  by age, removed. Kinds are numbers (contract/history), results are interned; the identifier stands in the row itself: a
 *  report that reads a million of them would else look each up, and it stays when its document is deleted. */
export const historyStep = {
  number: 21,
  sql: `
CREATE TABLE activity_result (              -- HTTP statuses and reasons: a few hundred at the most
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,                   -- in the order in which they were written down
  kind INTEGER NOT NULL,
  job_id INTEGER NOT NULL,                  -- no reference: what was done stays when the job is deleted
  start_ms INTEGER NOT NULL,
  end_ms INTEGER NOT NULL,
  result_id INTEGER NOT NULL REFERENCES activity_result(id),
  bytes INTEGER,                            -- as they crossed the wire
  identifier TEXT NOT NULL,                 -- the address of a document; 'job 3'
  description TEXT                          -- for a person
);
-- The newest first, a stretch of time, and what is too old.
CREATE INDEX activity_by_start ON activity (start_ms);
CREATE INDEX activity_by_job ON activity (job_id, start_ms);
`,
}
