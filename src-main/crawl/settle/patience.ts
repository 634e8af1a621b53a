/** Handles servers that stay unavailable after the quick retries. If the definition has long patience, the table gives the
 *  wait; after that the document, or the whole job, is given up. */
import type { Recheck } from '../../contract/shapes/recheck.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import {
  afterInterruption,
  patienceOf,
  patienceOfAnswer,
  type Failing,
  type FailingOn,
  type Patience,
} from './interruption.ts'

/** Statuses of a temporary error (RFC 9110 section 15.6, RFC 6585 section 4). */
const laterStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/** `settled`: no further wait. `aborted`: the whole job is given up. */
export type Waited =
  | { kind: 'settled' }
  | { kind: 'postponed'; delayMs: number; failing: FailingOn }
  | { kind: 'aborted' }

/** Decides whether a document is postponed, settled, or aborts its job. */
export function waited(
  outcome: FetchOutcome,
  failing: Failing,
  { recheck, nowMs }: { recheck: Pick<Recheck, 'patience' | 'onHardFailure'>; nowMs: number },
): Waited {
  const patience = recheck.patience === 'long' ? patienceWith(outcome) : undefined
  if (patience === undefined) return { kind: 'settled' }
  const after = afterInterruption(failing, patience, nowMs)
  if (after.kind === 'soft') return { ...after, kind: 'postponed' }
  return { kind: recheck.onHardFailure === 'abort' ? 'aborted' : 'settled' }
}

/** Returns the patience for an outcome; undefined if waiting would not help. */
function patienceWith(outcome: FetchOutcome): Patience | undefined {
  if (outcome.kind === 'failed') {
    const known: Partial<Record<string, Patience>> = patienceOf
    return known[outcome.reason]
  }
  return outcome.kind === 'answered' && laterStatuses.has(outcome.head.status) ? patienceOfAnswer : undefined
}
