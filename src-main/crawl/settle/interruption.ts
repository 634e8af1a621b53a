/** Waiting for unavailable servers: one table with the wait for each error, and one formula for when to give up. Pure; shared
 *  by documents, startup, seeding and notification. */
import type { Reason } from '../../contract/states/outcomes.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long and how often to wait after an error. */
export interface Patience {
  retryMs: number
  /** Counted from the first error of the series; null: no limit. */
  giveUpMs: number | null
  /** Attempts left after the next one; null: limited only by time. */
  retries: number | null
}

/** Waiting times of ManifoldCF's web connector, except for a read that timed out: its constant is 25 minutes where its name
 *  and comment say 15. */
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

/** Patience after a temporary error of a server: 429, 503 and similar. */
export const patienceOfAnswer: Patience = { retryMs: 2 * hourMs, giveUpMs: 24 * hourMs, retries: null }

/** State that is stored between two attempts. */
export interface Failing {
  /** When the patience ends; null: no series of errors, or no limit. */
  failMs: number | null
  /** Attempts left; null: not counted. */
  failCount: number | null
}

/** The state of a document without a series of errors. */
export const notFailing: Failing = { failMs: null, failCount: null }

/** A continued series of errors. */
export interface FailingOn {
  /** How long the patience lasts if this is the first error of the series: later ones never extend it. Null: without limit. */
  giveUpMs: number | null
  failCount: number | null
}

/** The decision after an error: wait `delayMs` and try again (`soft`), or give up (`hard`). */
export type AfterInterruption = { kind: 'soft'; delayMs: number; failing: FailingOn } | { kind: 'hard' }

/** Tells whether to give up: the next attempt would come after the end of the patience, or none is left. */
export function isHard({ failMs, failCount }: Failing, { retryMs }: Pick<Patience, 'retryMs'>, nowMs: number): boolean {
  return (failMs !== null && failMs < nowMs + retryMs) || failCount === 0
}

/** Decides after an error whether to wait (`soft`) or to give up (`hard`). */
export function afterInterruption(stored: Failing, patience: Patience, nowMs: number): AfterInterruption {
  if (isHard(stored, patience, nowMs)) return { kind: 'hard' }
  const { retryMs, giveUpMs, retries } = patience
  const left = stored.failCount === null ? null : stored.failCount - 1
  const failCount = left === null ? retries : retries === null ? left : Math.min(left, retries)
  return { kind: 'soft', delayMs: retryMs, failing: { giveUpMs, failCount } }
}
