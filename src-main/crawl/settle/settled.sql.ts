/** SQL statements that settle a claimed document, postpone it, or schedule its next check; the moves are those of the state
 *  table. */
import { documentStates, dueAgainDocumentStates } from '../../contract/states/documentStates.ts'
import { isFetching } from '../model/documentSets.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Reason, Truncation } from '../../contract/states/outcomes.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { notFailing, type Failing } from './interruption.ts'
import type { Comparison } from '../../contract/shapes/comparisons.ts'

/** The data it inherits changed while it was fetched: it is due at once. */
const isDueAgain = stateIn(dueAgainDocumentStates)

/** Time and kind of the next check. A job that checks once uses it only if inherited data has changed in the meantime. */
export interface Next {
  nextMs: number
  action: 'rescan' | 'remove'
}

/** Clears the mark of a document that a user deleted from the queue while it was being fetched: the mark does not apply to
 *  later turns. */
const unmarked = `left_out = NULL`
/** Keeps the mark if the document was excluded because of it and inherited data makes it wait again: it is then excluded
 *  again. */
const unmarkedUnlessDropped = `left_out = CASE WHEN ${isDueAgain} AND @reason = 'dropped' THEN left_out END`

const next = {
  settled: `due_ms = CASE WHEN ${isDueAgain} THEN @nextMs ELSE due_ms END,
    check_action = CASE WHEN ${isDueAgain} THEN @action END, needs_priority = ${isDueAgain}`,
  rescheduled: `due_ms = CASE WHEN ${isDueAgain} THEN 0 ELSE @nextMs END,
    check_action = CASE WHEN ${isDueAgain} THEN 'rescan' ELSE @action END, needs_priority = 1`,
} as const

/** `settled`: done for this run. `rescheduled`: checked again by a continuous job. */
export type Ending = keyof typeof next

/** A fetched document, as stored. */
export interface Fetched {
  id: number
  status: number | null
  mediaType: string | null
  bytes: number
  contentBytes: number
  truncated: Truncation | null
  payloadDigest: string
  detail: string | null
  fetchedMs: number
  durationMs: number
  file: number | null
  fileOffset: number | null
  comparison: Comparison
}

/** A failed or excluded document, as stored. */
export interface Unfetched {
  id: number
  outcome: 'failed' | 'excluded'
  reason: Reason
  detail: string
  fetchedMs: number
  durationMs: number | null
}

/** Prepares the statements for jobs that check once (`settled`) or continuously (`rescheduled`). */
export function settledStatements(store: Store, ending: Ending) {
  const move = moveSql(documentStates, ending)
  const always = `${next[ending]}, attempts = CASE WHEN ${isDueAgain} OR ${ending === 'rescheduled' ? 1 : 0} THEN 0 ELSE attempts END,
    priority = NULL, fail_ms = NULL, fail_count = NULL`
  const postponed = moveSql(documentStates, 'postponed')
  return {
    /** The outcome with which the document is already counted in this run: it may be settled more than once. */
    counted: store.statement<{ id: number }, { outcome: 'fetched' | 'failed' | 'excluded' | null }>(
      `SELECT outcome FROM document WHERE id = @id`,
    ),
    fetched: store.statement<Fetched & Next>(
      `UPDATE document SET ${move.set}, ${always}, outcome = 'fetched', reason = NULL, detail = @detail, status = @status,
              media_type = @mediaType, bytes = @bytes, content_bytes = @contentBytes, truncated = @truncated,
              payload_digest = @payloadDigest, fetched_ms = @fetchedMs,
              duration_ms = @durationMs, file_id = @file, file_offset = @fileOffset, comparison = @comparison, ${unmarked}
       WHERE id = @id AND ${isFetching}`,
    ),
    /** The data of an earlier run stays valid. */
    settleUnchanged: store.statement<{ id: number; detail: string } & Next>(
      `UPDATE document SET ${move.set}, ${always}, outcome = 'fetched', reason = NULL,
              detail = @detail, comparison = 'unchanged', ${unmarked}
       WHERE id = @id AND ${isFetching}`,
    ),
    /** Details of an earlier answer are cleared. */
    unfetched: store.statement<Unfetched & Next>(
      `UPDATE document SET ${move.set}, ${always}, outcome = @outcome, reason = @reason, detail = @detail, status = NULL,
              media_type = NULL, bytes = NULL, content_bytes = NULL, truncated = NULL, payload_digest = NULL, fetched_ms = @fetchedMs, duration_ms = @durationMs,
              file_id = NULL, file_offset = NULL, comparison = NULL, ${unmarkedUnlessDropped}
       WHERE id = @id AND ${isFetching}`,
    ),
    /** The first deadline of a series of failures stays; it may have been moved with the clock since it was read. */
    putBack: store.statement<{
      id: number
      dueMs: number
      attempts: number
      isFailing: number
      failMs: number | null
      failCount: number | null
    }>(
      `UPDATE document SET ${postponed.set}, due_ms = @dueMs, attempts = attempts - @attempts,
              fail_ms = CASE WHEN @isFailing THEN COALESCE(fail_ms, @failMs) END, fail_count = @failCount, priority = NULL,
              needs_priority = 1
       WHERE id = @id AND ${isFetching}`,
    ),
  }
}

/** Returns a function that reads the stored state of a document's series of failures. */
export function failingReader(store: Store): (document: number) => Failing {
  const one = store.statement<{ id: number }, Failing>(
    `SELECT fail_ms AS failMs, fail_count AS failCount FROM document WHERE id = @id`,
  )
  return (id) => one.get({ id }) ?? notFailing
}
