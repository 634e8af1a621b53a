/** SQL statements that apply distances to documents. */
import { documentStates } from '../../../contract/states/states.ts'
import { moveSql } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'

/** A document whose distance may have changed. */
export interface RangedDocument {
  id: number
  url: string
  state: (typeof documentStates.states)[number]
  outcome: 'fetched' | 'failed' | 'excluded' | null
  hopPath: string
}

const foundTooFar = moveSql(documentStates, 'foundTooFar')
const outOfRange = moveSql(documentStates, 'outOfRange')

/** Prepares the statements. */
export function rangeStatements(store: Store) {
  return {
    /** Uses the unique index of (job_id, url_key). */
    document: store.statement<{ job: number; key: Uint8Array }, RangedDocument>(
      `SELECT id, url, state, outcome, hop_path AS hopPath FROM document WHERE job_id = @job AND url_key = @key`,
    ),
    remove: store.statement<{ id: number }, { state: RangedDocument['state'] }>(
      `UPDATE document SET ${outOfRange.set}, priority = NULL, needs_priority = 0 WHERE id = @id AND ${outOfRange.from}
       RETURNING state`,
    ),
    waitForShorterPaths: store.statement<{ job: number }>(
      `UPDATE document SET ${outOfRange.set} WHERE job_id = @job AND outcome = 'excluded' AND reason = 'tooManyHops'
         AND ${outOfRange.from}`,
    ),
    /** Marks a document of an earlier run that this run found too far away. */
    foundTooFar: store.statement<{ job: number; key: Uint8Array }, { id: number }>(
      `UPDATE document SET ${foundTooFar.set} WHERE job_id = @job AND url_key = @key AND ${foundTooFar.from} RETURNING id`,
    ),
    outcome: store.statement<{ id: number }, Pick<RangedDocument, 'outcome'>>(
      `SELECT outcome FROM document WHERE id = @id`,
    ),
    exclude: store.statement<{ id: number; detail: string }>(
      `UPDATE document SET outcome = 'excluded', reason = 'tooManyHops', detail = @detail WHERE id = @id`,
    ),
  }
}
