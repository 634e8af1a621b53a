/** What to do while a server is unavailable: one table of how long each fault is waited for, and one formula for when to give
 *  up. Pure; documents, startup, seeding and notification share it. */
import type { Reason } from '../../contract/states/outcomes.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How a fault is waited for. */
export interface Patience {
  retryMs: number
  /** Counted from the first fault of the series; null: no limit. */
  giveUpMs: number | null
  /** How many tries are left after the next one; null: as many as there is time for. */
  retries: number | null
}

/** Waiting times of ManifoldCF's web connector, except for a read that timed out: its constant is 25 minutes where its name and
 *  comment say 15. */
export const patienceOf = {
  timeout: { retryMs: 5 * minuteMs, giveUpMs: 2 * hourMs, retries: null },
  tooSlow: { retryMs: 15 * minuteMs, giveUpMs: 2 * hourMs, retries: null },
  refused: { retryMs: 2 * hourMs, giveUpMs: 6 * hourMs, retries: null },
  unreachable: { retryMs: 1_000_000, giveUpMs: 12 * hourMs, retries: null },
  reset: { retryMs: 5 * minuteMs, giveUpMs: null, retries: 2 },
  emptyAnswer: { retryMs: 5 * minuteMs, giveUpMs: null, retries: 2 },
  connectionFailed: { retryMs: 15 * minuteMs, giveUpMs: 2 * hourMs, retries: null },
  unknownHost: { retryMs: 2 * hourMs, giveUpMs: 6 * hourMs, retries: null },
} as const satisfies Partial<Record<Reason, Patience>>

/** An answer that says "later": 429, 503 and the other temporary errors of a server. */
export const patienceOfAnswer: Patience = { retryMs: 2 * hourMs, giveUpMs: 24 * hourMs, retries: null }

/** State that is stored between two tries. */
export interface Failing {
  /** When the patience ends; null: no series runs, or it does not close. */
  failMs: number | null
  /** Tries that are left; null: not counted. */
  failCount: number | null
}

export const notFailing: Failing = { failMs: null, failCount: null }

/** A continued series of failures. */
export interface FailingOn {
  /** How long the patience lasts if this is the first fault of the series: later ones never extend it. Null: for ever. */
  giveUpMs: number | null
  failCount: number | null
}

export type AfterInterruption = { kind: 'soft'; delayMs: number; failing: FailingOn } | { kind: 'hard' }

/** The next try would come after the end of the patience, or none is left. */
export function isHard({ failMs, failCount }: Failing, { retryMs }: Pick<Patience, 'retryMs'>, nowMs: number): boolean {
  return (failMs !== null && failMs < nowMs + retryMs) || failCount === 0
}

export function afterInterruption(stored: Failing, patience: Patience, nowMs: number): AfterInterruption {
  if (isHard(stored, patience, nowMs)) return { kind: 'hard' }
  const { retryMs, giveUpMs, retries } = patience
  const left = stored.failCount === null ? null : stored.failCount - 1
  const failCount = left === null ? retries : retries === null ? left : Math.min(left, retries)
  return { kind: 'soft', delayMs: retryMs, failing: { giveUpMs, failCount } }
}
