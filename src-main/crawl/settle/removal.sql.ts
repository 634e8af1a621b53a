/** SQL statements that remove documents from the list of a job. None of them changes the archive: captures stay. */
import type { RemovalReason } from '../model/recheckResults.ts'
import { statesIn } from '../../contract/states/jobStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import { documentStates, heldDocumentStates } from '../../contract/states/documentStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'

/** A document that leaves the list. */
export interface RemovedDocument {
  id: number
  url: string
  key: Buffer
}

const cleanup = moveSql(documentStates, 'cleanupTaken')
const deletion = moveSql(documentStates, 'deletionTaken')
const kept = moveSql(documentStates, 'kept')

/** Excludes URLs claimed by another job: a URL is claimed by one worker at a time. Uses document_in_progress. */
const notClaimedElsewhere = `NOT EXISTS (SELECT 1 FROM document AS other WHERE other.url_key = document.url_key AND other.job_id <> document.job_id
  AND ${stateIn(heldDocumentStates, 'other.state')})`

const taken = `RETURNING id, url, url_key AS key`

type Batch = { job: number; nowMs: number; limit: number }

/** Conditions for removal, each with its index: the lists are long and the matches few. A document with an outcome is taken
 *  whatever its due time, which may lie ahead if the clock was set back. */
const choices = {
  notFound: { index: 'document_not_found', where: `state = 'PURGATORY' AND due_ms <= @nowMs` },
  answered: { index: 'document_gone', where: `state = 'COMPLETE' AND comparison = 'gone'` },
} as const

/** Statements on documents. Each names its index. */
export const removalSql = {
  take: (why: keyof typeof choices) => `
UPDATE document SET ${cleanup.set} WHERE id IN (
  SELECT id FROM document INDEXED BY ${choices[why].index}
  WHERE job_id = @job AND ${choices[why].where} AND ${notClaimedElsewhere} LIMIT @limit) ${taken}`,
  takeToDelete: `
UPDATE document SET ${deletion.set} WHERE id IN (
  SELECT id FROM document INDEXED BY document_to_delete
  WHERE job_id = @job AND state = 'ELIGIBLEFORDELETE' AND due_ms <= @nowMs AND ${notClaimedElsewhere} LIMIT @limit) ${taken}`,
  keep: `
UPDATE document SET ${kept.set}, due_ms = 0 WHERE id IN (
  SELECT id FROM document INDEXED BY document_not_found WHERE job_id = @job AND state = 'PURGATORY' LIMIT @limit)`,
  expired: `
SELECT document.id, document.job_id AS job, document.url, document.url_key AS key
FROM document INDEXED BY document_to_expire JOIN job ON job.id = document.job_id
WHERE document.state = 'PENDINGPURGATORY' AND check_action = 'remove' AND due_ms <= @nowMs
  AND ${stateIn(statesIn('working'), 'job.state')} ORDER BY due_ms LIMIT @limit`,
  anyToClean: `
SELECT 1 AS one FROM document INDEXED BY document_not_found WHERE job_id = @job AND state = 'PURGATORY'
UNION ALL SELECT 1 FROM document INDEXED BY document_gone WHERE job_id = @job AND state = 'COMPLETE' AND comparison = 'gone' AND @withGone
UNION ALL SELECT 1 FROM document INDEXED BY document_leaving WHERE job_id = @job AND state = 'BEINGCLEANED' LIMIT 1`,
} as const

/** Prepares the statements that remove documents. */
export function removalStatements(store: Store) {
  return {
    takeNotFound: store.statement<Batch, RemovedDocument>(removalSql.take('notFound')),
    takeGone: store.statement<Batch, RemovedDocument>(removalSql.take('answered')),
    takeToDelete: store.statement<Batch, RemovedDocument>(removalSql.takeToDelete),
    /** Returns the number of documents kept. */
    keep: store.statement<{ job: number; limit: number }>(removalSql.keep),
    expired: store.statement<{ nowMs: number; limit: number }, RemovedDocument & { job: number }>(removalSql.expired),
    /** Records the removal for the report of the run before the row is deleted. */
    note: store.statement<{ id: number; why: RemovalReason; nowMs: number }>(
      `INSERT INTO removed_document (job_id, run, why, removed_ms, url, via, hop_path, status, media_type, bytes, content_bytes,
                                     truncated, payload_digest, fetched_ms, duration_ms)
       SELECT document.job_id, job.run, @why, @nowMs, document.url, via.url, document.hop_path, document.status,
              document.media_type, document.bytes, document.content_bytes, document.truncated, document.payload_digest, document.fetched_ms, document.duration_ms
       FROM document JOIN job ON job.id = document.job_id LEFT JOIN document AS via ON via.id = document.via_id
       WHERE document.id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM document WHERE id = @id`),
    anyLeft: store.statement<{ job: number }, { one: number }>(
      `SELECT 1 AS one FROM document WHERE job_id = @job LIMIT 1`,
    ),
    anyToClean: store.statement<{ job: number; withGone: number }, { one: number }>(removalSql.anyToClean),
  }
}
