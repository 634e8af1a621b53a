/** SQL statements that prepare the documents of the previous run for a new one, applied to a range of them; the moves are
 *  those of the state table (`contract/states/documentStates.ts`). Each statement can be repeated without further effect. */
import { documentStates, decidedDocumentStates, unfetchedDocumentStates } from '../../contract/states/documentStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Scan } from '../model/scanPlan.ts'
import { comparedUrlStatements, type DocumentRange } from './comparedUrls.sql.ts'

type Event = (typeof documentStates.moves)[number]['event']

const inRange = `job_id = @job AND id BETWEEN @from AND @to`

/** Clears the outcome of the last run: reports count documents with an outcome. The data of the last capture is in `capture`. */
const forgotten = `outcome = NULL, reason = NULL, detail = NULL, status = NULL, media_type = NULL, bytes = NULL,
  content_bytes = NULL, truncated = NULL, payload_digest = NULL, fetched_ms = NULL, duration_ms = NULL, file_id = NULL, file_offset = NULL, comparison = NULL`
/** Makes a document due at once and clears its earlier attempts. */
const dueAtOnce = `due_ms = 0, attempts = 0, fail_ms = NULL, fail_count = NULL`
const noPriority = `priority = NULL, needs_priority = 0`

/** Prepares the statements of every kind of scan, in the order in which they are applied to a range. */
export function scanStatements(store: Store) {
  const change = (sql: string) => store.statement<DocumentRange>(sql)
  const move = (event: Event, set: string) => {
    const { set: state, from } = moveSql(documentStates, event)
    return change(`UPDATE document SET ${state}, ${set} WHERE ${inRange} AND ${from}`)
  }
  const waits = moveSql(documentStates, 'claimed').from
  const waitingAgain = change(
    `UPDATE document SET ${forgotten}, ${dueAtOnce}, check_action = 'rescan', needs_priority = 1 WHERE ${inRange} AND ${waits}`,
  )
  // Documents that were never captured are deleted: a link that still exists finds them again.
  const neverCaptured = change(
    `DELETE FROM document WHERE ${inRange} AND ${stateIn(decidedDocumentStates)}
     AND NOT EXISTS (SELECT 1 FROM capture WHERE document_id = document.id)`,
  )
  const neverDone = change(`DELETE FROM document WHERE ${inRange} AND ${stateIn(unfetchedDocumentStates)}`)
  // Documents left by a run that was stopped during its cleanup.
  const leftOver = change(
    `UPDATE document SET ${forgotten} WHERE ${inRange} AND state = 'PURGATORY' AND outcome IS NOT NULL`,
  )
  const { keep, release, removeOld } = comparedUrlStatements(store)
  const always = [keep, removeOld, waitingAgain, neverCaptured, leftOver]
  const toQueue = move('scannedAll', `${forgotten}, ${dueAtOnce}, check_action = 'rescan', needs_priority = 1`)
  const scans: Record<Scan, { run(range: DocumentRange): number }[]> = {
    full: [
      ...always,
      neverDone,
      move('scannedWhole', `${forgotten}, ${dueAtOnce}, check_action = NULL, ${noPriority}`),
      release,
    ],
    incremental: [...always, toQueue, release],
    partial: [...always, move('scannedInPart', forgotten), release],
    existing: [...always, toQueue, release],
    none: [...always, change(`UPDATE document SET ${forgotten} WHERE ${inRange} AND state = 'COMPLETE'`), release],
  }
  return {
    scans,
    deletion: [neverDone, move('deletionPrepared', `due_ms = 0, ${noPriority}`)],
    /** The last id of the range that follows `after`; uses document_by_job. */
    nextTo: store.statement<{ job: number; after: number; limit: number }, { id: number | null }>(
      `SELECT MAX(id) AS id FROM (SELECT id FROM document INDEXED BY document_by_job
        WHERE job_id = @job AND id > @after ORDER BY id LIMIT @limit)`,
    ),
    /** robots.txt is read again in each run. */
    forgetRules: store.statement<{ job: number }>(
      `UPDATE host SET robots_state = 'UNKNOWN', robots_text = NULL WHERE job_id = @job`,
    ),
    waiting: store.statement<{ job: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM document WHERE job_id = @job AND ${waits}`,
    ),
    excluded: store.statement<{ job: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM document WHERE job_id = @job AND outcome = 'excluded'`,
    ),
  }
}
