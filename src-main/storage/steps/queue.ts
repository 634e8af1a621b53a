/** Step 15 of the schema: the queue over all jobs. */
export const queueStep = {
  number: 15,
  sql: `
-- How many documents of a bin (a host, for the Web) were given a place in the queue: the next one stands behind them.
CREATE TABLE bin_counter (
  bin TEXT PRIMARY KEY,
  value REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE queue_depth (                    -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  depth_min REAL NOT NULL DEFAULT 0,          -- how deep the queue has been worked off; only rises, but for a reset
  is_resetting INTEGER NOT NULL DEFAULT 0     -- every document is to be given its place anew
);
INSERT INTO queue_depth (id) VALUES (1);

-- Of the job, as it was when the document was given its place: one index tells the order over all jobs.
ALTER TABLE document ADD COLUMN job_priority INTEGER NOT NULL DEFAULT 5;

-- What waited before there were places is given one now.
UPDATE document SET needs_priority = 1 WHERE state = 'PENDING';

-- The queue, in its order.
CREATE INDEX document_by_priority ON document (job_priority, priority)
  WHERE priority IS NOT NULL AND state IN ('PENDING', 'PENDINGPURGATORY');
-- What has no place yet, or lost it: by when it is due.
CREATE INDEX document_needing_priority ON document (job_id, due_ms)
  WHERE needs_priority = 1 AND state IN ('PENDING', 'PENDINGPURGATORY');
-- What waits, by host: whether anything does, and how much.
DROP INDEX document_by_turn;
CREATE INDEX document_waiting ON document (job_id, host_id) WHERE state IN ('PENDING', 'PENDINGPURGATORY');
-- What is under way in any job: never many.
DROP INDEX document_active;
CREATE INDEX document_in_hands ON document (url_key, job_id)
  WHERE state IN ('ACTIVE', 'ACTIVENEEDRESCAN', 'ACTIVEPURGATORY', 'ACTIVENEEDRESCANPURGATORY', 'BEINGCLEANED', 'BEINGDELETED');
`,
}
