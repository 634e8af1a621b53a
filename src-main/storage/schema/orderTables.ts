/** Tables of runs that commit documents in the order in which they were scheduled. */
import { waitingDocumentStates } from '../../contract/states/documentStates.ts'
import { stateIn } from './stateIn.ts'

export const orderTables = `
CREATE TABLE commit_order (                 -- the last ordered run of a job
  job_id INTEGER PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  next_number INTEGER NOT NULL              -- the next to issue
);
CREATE TABLE commit_number (                -- documents that were scheduled and are not committed
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,                  -- from 1 in each run
  run_id TEXT NOT NULL,
  document_id INTEGER NOT NULL UNIQUE REFERENCES document(id) ON DELETE CASCADE,
  reschedules INTEGER NOT NULL DEFAULT 0,
  is_acknowledged INTEGER NOT NULL DEFAULT 0, -- its result is in the folder of the job and waits for those before it
  PRIMARY KEY (job_id, number)
) WITHOUT ROWID;
-- The line of a job whose documents get places one by one: in the order in which they were found.
CREATE INDEX document_in_line ON document (job_id, lift DESC, id, due_ms)
  WHERE needs_priority = 1 AND ${stateIn(waitingDocumentStates)};
`
