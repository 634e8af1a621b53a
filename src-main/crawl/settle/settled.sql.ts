/** SQL that settles a claimed document, postpones it, or gives it its next time; the moves are those of the state table. */
import { documentStates, fetchedDocumentStates } from '../../contract/states/documentStates.ts'
import type { Reason, Truncation } from '../../contract/states/outcomes.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { notFailing, type Failing } from './interruption.ts'
import type { Comparison } from '../model/recheckResults.ts'

const inHands = `state IN (${fetchedDocumentStates.map((state) => `'${state}'`).join(', ')})`
/** What it inherits has changed while it was fetched: it is due at once. */
const isDueAgain = `state IN ('ACTIVENEEDRESCAN', 'ACTIVENEEDRESCANPURGATORY')`

/** When it is looked at again; of a job that looks once: never, unless what it inherits has changed meanwhile. */
export interface Next {
  nextMs: number
  action: 'rescan' | 'remove'
}

/** A user deleted it from the queue while it was being fetched: that turn is over, and the mark does not apply to later ones. */
const unmarked = `left_out = NULL`
/** It was left out because of its mark, and what it inherits makes it wait again: it is left out then, too. */
const unmarkedUnlessDropped = `left_out = CASE WHEN ${isDueAgain} AND @reason = 'dropped' THEN left_out END`

const next = {
  settled: `due_ms = CASE WHEN ${isDueAgain} THEN @nextMs ELSE due_ms END,
    check_action = CASE WHEN ${isDueAgain} THEN @action END, needs_priority = ${isDueAgain}`,
  rescheduled: `due_ms = CASE WHEN ${isDueAgain} THEN 0 ELSE @nextMs END,
    check_action = CASE WHEN ${isDueAgain} THEN 'rescan' ELSE @action END, needs_priority = 1`,
} as const

export type Ending = keyof typeof next

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

export interface Unfetched {
  id: number
  outcome: 'failed' | 'excluded'
  reason: Reason
  detail: string
  fetchedMs: number
  durationMs: number | null
}

export function settledStatements(store: Store, ending: Ending) {
  const move = moveSql(documentStates, ending)
  const always = `${next[ending]}, attempts = CASE WHEN ${isDueAgain} OR ${ending === 'rescheduled' ? 1 : 0} THEN 0 ELSE attempts END,
    priority = NULL, fail_ms = NULL, fail_count = NULL`
  const postponed = moveSql(documentStates, 'postponed')
  return {
    /** What it counts for in this run already: it may be settled more than once. */
    counted: store.statement<{ id: number }, { outcome: 'fetched' | 'failed' | 'excluded' | null }>(
      `SELECT outcome FROM document WHERE id = @id`,
    ),
    fetched: store.statement<Fetched & Next>(
      `UPDATE document SET ${move.set}, ${always}, outcome = 'fetched', reason = NULL, detail = @detail, status = @status,
              media_type = @mediaType, bytes = @bytes, content_bytes = @contentBytes, truncated = @truncated,
              payload_digest = @payloadDigest, fetched_ms = @fetchedMs,
              duration_ms = @durationMs, file_id = @file, file_offset = @fileOffset, comparison = @comparison, ${unmarked}
       WHERE id = @id AND ${inHands}`,
    ),
    /** What an earlier run has of it still stands. */
    settleUnchanged: store.statement<{ id: number } & Next>(
      `UPDATE document SET ${move.set}, ${always}, outcome = 'fetched', reason = NULL,
              detail = 'unchanged according to its list', comparison = 'unchanged', ${unmarked}
       WHERE id = @id AND ${inHands}`,
    ),
    /** Details of an earlier answer are cleared. */
    unfetched: store.statement<Unfetched & Next>(
      `UPDATE document SET ${move.set}, ${always}, outcome = @outcome, reason = @reason, detail = @detail, status = NULL,
              media_type = NULL, bytes = NULL, content_bytes = NULL, truncated = NULL, payload_digest = NULL, fetched_ms = @fetchedMs, duration_ms = @durationMs,
              file_id = NULL, file_offset = NULL, comparison = NULL, ${unmarkedUnlessDropped}
       WHERE id = @id AND ${inHands}`,
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
       WHERE id = @id AND ${inHands}`,
    ),
  }
}

export function failingReader(store: Store): (document: number) => Failing {
  const one = store.statement<{ id: number }, Failing>(
    `SELECT fail_ms AS failMs, fail_count AS failCount FROM document WHERE id = @id`,
  )
  return (id) => one.get({ id }) ?? notFailing
}
