/** Step 42 of the schema: how many URLs of a job are in its queue is a number of its own, which follows the states of the documents; and
 *  the numbers of a run stay after the next run has begun. Of runs that ended before this step nothing was kept. */
const isQueued = (row: string) =>
  `${row}.state IN ('PENDING', 'PENDINGPURGATORY', 'ACTIVE', 'ACTIVENEEDRESCAN', 'ACTIVEPURGATORY', 'ACTIVENEEDRESCANPURGATORY')`
const add = (row: string, sign: '+' | '-') =>
  `UPDATE job SET documents_queued = documents_queued ${sign} 1 WHERE id = ${row}.job_id;`

export const runsStep = {
  number: 42,
  sql: `
-- Counted, not derived: a document that waits for another look has its outcome of this run already.
ALTER TABLE job ADD COLUMN documents_queued INTEGER NOT NULL DEFAULT 0 CHECK (documents_queued >= 0);
UPDATE job SET documents_queued = (SELECT COUNT(*) FROM document WHERE document.job_id = job.id AND ${isQueued('document')});
CREATE TRIGGER queued_document_is_added AFTER INSERT ON document WHEN ${isQueued('NEW')}
  BEGIN ${add('NEW', '+')} END;
CREATE TRIGGER queued_document_is_removed AFTER DELETE ON document WHEN ${isQueued('OLD')}
  BEGIN ${add('OLD', '-')} END;
CREATE TRIGGER document_enters_queue AFTER UPDATE OF state ON document WHEN ${isQueued('NEW')} AND NOT ${isQueued('OLD')}
  BEGIN ${add('NEW', '+')} END;
CREATE TRIGGER document_leaves_queue AFTER UPDATE OF state ON document WHEN ${isQueued('OLD')} AND NOT ${isQueued('NEW')}
  BEGIN ${add('NEW', '-')} END;

CREATE TABLE job_run (                        -- a run that is over, as the job's row said when the next one began
  job_id INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,                           -- null: it was ended to begin the next one
  running_ms INTEGER NOT NULL CHECK (running_ms >= 0),
  stop_reason TEXT,
  error_text TEXT,
  fetched INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  excluded INTEGER NOT NULL,
  truncated INTEGER,                          -- null: not known, since the run was recovered from a metadata file that does not say
  bytes INTEGER NOT NULL,
  PRIMARY KEY (job_id, run)
) WITHOUT ROWID;
-- Before the row begins anew, and before the documents are made ready for the next run.
CREATE TRIGGER job_run_is_kept BEFORE UPDATE OF run ON job WHEN NEW.run > OLD.run AND OLD.started_ms IS NOT NULL BEGIN
  INSERT INTO job_run (job_id, run, started_ms, ended_ms, running_ms, stop_reason, error_text, fetched, failed, excluded, truncated, bytes)
  VALUES (OLD.id, OLD.run, OLD.started_ms, OLD.ended_ms, OLD.running_ms, OLD.stop_reason, OLD.error_text, OLD.documents_fetched,
          OLD.documents_failed, OLD.documents_excluded,
          (SELECT COUNT(*) FROM document WHERE job_id = OLD.id AND truncated IS NOT NULL AND outcome = 'fetched'), OLD.bytes);
END;

-- A list of jobs is asked for often, and an import may have a hundred thousand files.
DROP INDEX imported_file_with_errors;
CREATE INDEX imported_file_findings ON imported_file (job_id, errors, warnings, notes) WHERE errors + warnings + notes > 0;
`,
}
