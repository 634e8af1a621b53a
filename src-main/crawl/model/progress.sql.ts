/** SQL statements for the progress of runs. */
import { heldDocumentStates } from '../../contract/states/documentStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'

/** The numbers of a run at one time. */
export interface ProgressSample {
  /** Working time of the run. */
  runningMs: number
  /** 1: made when the work on the run ended. */
  isEnd: 0 | 1
  atMs: number
  discovered: number
  queued: number
  fetched: number
  failed: number
  inProgress: number
  bytes: number
}

/** Prepares the statements about samples of the run of a job that is in progress or ended last. */
export function progressStatements(store: Store) {
  const ofRun = `job_id = @job AND run = (SELECT run FROM job WHERE id = @job)`
  return {
    add: store.statement<{ job: number; runningMs: number; isEnd: 0 | 1; nowMs: number }>(
      `INSERT OR REPLACE INTO progress_sample
         (job_id, run, running_ms, is_end, at_ms, discovered, queued, fetched, failed, in_progress, bytes)
       SELECT id, run, @runningMs, @isEnd, @nowMs, documents_total, documents_queued, documents_fetched, documents_failed,
              (SELECT COUNT(*) FROM document INDEXED BY document_in_progress
               WHERE ${stateIn(heldDocumentStates)} AND document.job_id = @job), bytes
       FROM job WHERE id = @job`,
    ),
    forgetEnd: store.statement<{ job: number }>(`DELETE FROM progress_sample WHERE ${ofRun} AND is_end = 1`),
    last: store.statement<{ job: number }, { runningMs: number | null }>(
      `SELECT MAX(running_ms) AS runningMs FROM progress_sample WHERE ${ofRun} AND is_end = 0`,
    ),
    ofRun: store.statement<{ job: number }, ProgressSample>(
      `SELECT running_ms AS runningMs, is_end AS isEnd, at_ms AS atMs, discovered, queued, fetched, failed,
              in_progress AS inProgress, bytes
       FROM progress_sample WHERE ${ofRun} ORDER BY running_ms, is_end`,
    ),
    restore: store.statement<ProgressSample & { job: number; run: number }>(
      `INSERT INTO progress_sample
         (job_id, run, running_ms, is_end, at_ms, discovered, queued, fetched, failed, in_progress, bytes)
       VALUES (@job, @run, @runningMs, @isEnd, @atMs, @discovered, @queued, @fetched, @failed, @inProgress, @bytes)
       ON CONFLICT DO NOTHING`,
    ),
  }
}
