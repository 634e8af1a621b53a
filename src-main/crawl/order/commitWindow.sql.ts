/** SQL statements on the numbers of ordered runs: issued, acknowledged, delivered. */
import type { Store } from '../../storage/storage.ts'
import { isQueued, isWaiting } from '../model/documentSets.ts'

/** A number of a run that is not committed. */
export interface NumberRow {
  number: number
  document: number
  url: string
  reschedules: number
  /** 1: its result is in a file. */
  isAcknowledged: number
}

/** The statements whose query plans are asserted. */
export const orderSql = {
  nextInLine: `
SELECT id, url FROM document INDEXED BY document_in_line
WHERE job_id = @job AND needs_priority = 1 AND ${isWaiting} AND due_ms <= @nowMs
  AND NOT EXISTS (SELECT 1 FROM commit_number WHERE document_id = document.id)
ORDER BY lift DESC, id LIMIT 1`,
  toPlace: `
SELECT document.id FROM commit_number CROSS JOIN document ON document.id = commit_number.document_id
WHERE commit_number.job_id = @job AND is_acknowledged = 0 AND document.needs_priority = 1 AND document.due_ms <= @nowMs
  AND document.${isWaiting}`,
} as const

/** Prepares the statements. */
export function orderStatements(store: Store) {
  return {
    /** The next document without a number, in the order in which documents were found; what a user moved to the front comes first. */
    nextInLine: store.statement<{ job: number; nowMs: number }, { id: number; url: string }>(orderSql.nextInLine),
    /** Documents with a number that wait and have no place in the queue over all jobs. */
    toPlace: store.statement<{ job: number; nowMs: number }, { id: number }>(orderSql.toPlace),
    numbers: store.statement<{ job: number; runId: string }, NumberRow>(
      `SELECT number, document_id AS document, document.url, reschedules, is_acknowledged AS isAcknowledged
       FROM commit_number JOIN document ON document.id = document_id
       WHERE commit_number.job_id = @job AND run_id = @runId ORDER BY number`,
    ),
    next: store.statement<{ job: number; runId: string }, { next: number }>(
      `SELECT next_number AS next FROM commit_order WHERE job_id = @job AND run_id = @runId`,
    ),
    setNext: store.statement<{ job: number; runId: string; next: number }>(
      `INSERT INTO commit_order (job_id, run_id, next_number) VALUES (@job, @runId, @next)
       ON CONFLICT DO UPDATE SET run_id = excluded.run_id, next_number = excluded.next_number`,
    ),
    forgetOtherRuns: store.statement<{ job: number; runId: string }>(
      `DELETE FROM commit_number WHERE job_id = @job AND run_id <> @runId`,
    ),
    issue: store.statement<{ job: number; runId: string; number: number; document: number }>(
      `INSERT INTO commit_number (job_id, run_id, number, document_id) VALUES (@job, @runId, @number, @document)`,
    ),
    reschedule: store.statement<{ job: number; number: number }>(
      `UPDATE commit_number SET reschedules = reschedules + 1 WHERE job_id = @job AND number = @number`,
    ),
    acknowledge: store.statement<{ job: number; number: number; isAcknowledged: number }>(
      `UPDATE commit_number SET is_acknowledged = @isAcknowledged WHERE job_id = @job AND number = @number`,
    ),
    remove: store.statement<{ job: number; number: number }>(
      `DELETE FROM commit_number WHERE job_id = @job AND number = @number`,
    ),
    /** 1: the document waits or is being fetched. */
    isQueued: store.statement<{ document: number }, { isQueued: number }>(
      `SELECT ${isQueued} AS isQueued FROM document WHERE id = @document`,
    ),
    /** Takes the place of a document in the queue away: it stands in its job's line again. */
    unplace: store.statement<{ document: number; dueMs: number }>(
      `UPDATE document SET priority = NULL, needs_priority = 1, due_ms = MAX(due_ms, @dueMs) WHERE id = @document AND ${isWaiting}`,
    ),
  }
}
