/** SQL statements about notices to outputs that jobs have ended. */
import type { OutputNoticeKind } from '../../contract/states/outputStates.ts'
import type { Store } from '../../storage/storage.ts'

/** A notice that may be sent now. */
export interface NoticeRow {
  id: number
  job: number
  kind: OutputNoticeKind
  attempts: number
}

/** Statement whose query plan is asserted: it runs twice per second for each output. */
export const readyNoticesSql = `SELECT id, job_id AS job, kind, attempts FROM output_notice AS notice INDEXED BY output_notice_waiting
  WHERE output_id = @output AND state = 'WAITING' AND due_ms <= @nowMs
    AND NOT EXISTS (SELECT 1 FROM output_pending WHERE output_id = @output AND id <= notice.pending_id)
    AND NOT EXISTS (SELECT 1 FROM output_scan WHERE output_id = @output AND job_id = notice.job_id)
    AND NOT EXISTS (SELECT 1 FROM output_count WHERE output_id = @output AND job_id = notice.job_id AND documents > 0
                      AND state IN ('PROCESSING', 'BATCHED', 'INDEXING', 'FORCE', 'RESTART'))
  ORDER BY id LIMIT 10`

/** Prepares the statements. */
export function noticeStatements(store: Store) {
  return {
    /** Notices whose documents have all been handed over. */
    ready: store.statement<{ output: number; nowMs: number }, NoticeRow>(readyNoticesSql),
    failed: store.statement<{ id: number; dueMs: number; why: string }>(
      `UPDATE output_notice SET attempts = attempts + 1, due_ms = @dueMs, message = @why WHERE id = @id`,
    ),
  }
}
