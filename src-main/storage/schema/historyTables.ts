/** Tables of the history of the harvester's activities. */
export const historyTables = `
-- The activities are the table with the most rows. Rows are only added, and removed by age. Kinds are numbers (contract/services/history)
-- and results are shared, but the identifier is stored in each row: a report over a million rows would otherwise look each one up, and it
-- remains when the document is deleted.
CREATE TABLE activity_result (              -- HTTP statuses and reasons: a few hundred
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,                   -- in the order of recording
  kind INTEGER NOT NULL,
  job_id INTEGER NOT NULL,                  -- no reference: the history of a deleted job remains
  start_ms INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
  result_id INTEGER NOT NULL REFERENCES activity_result(id),
  bytes INTEGER,                            -- as received over the network
  identifier TEXT NOT NULL,                 -- URL of a document; 'job 3'
  description TEXT
);
CREATE INDEX activity_by_start ON activity (start_ms);
CREATE INDEX activity_by_job ON activity (job_id, start_ms);
`
