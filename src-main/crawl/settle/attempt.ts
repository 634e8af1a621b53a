/** Decides what an attempt means for its document; `committer.ts` writes the decision. Pure. */
import { message } from '../../contract/words/message.ts'
import type { Detail } from '../model/detail.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import { retryAfterMsMax, type CrawlSettings } from '../model/limits.ts'
import { fieldOf, type HttpHead } from '../../formats/http/http.ts'

/** The decision after an attempt. */
export type Settlement =
  | { event: 'settled'; outcome: 'fetched' }
  | { event: 'settled'; outcome: 'failed'; reason: Reason; detail: Detail }
  | { event: 'postponed'; delayMs: number; why: Detail }

/** Temporary errors that are worth another attempt. A name that does not exist and a server that does not speak HTTP are
 *  permanent errors. */
const passing: ReadonlySet<Reason> = new Set([
  'refused',
  'unreachable',
  'reset',
  'timeout',
  'tooSlow',
  'emptyAnswer',
  'connectionFailed',
  'unknownHost',
  'loginUnavailable',
  'fileChanged',
  'moduleFailed',
])

/** Reasons unrelated to the document: it is queued again, and the attempt does not count. */
const noAttempts: ReadonlySet<Reason> = new Set(['jobStopped', 'loggedOut'])

/** Tells whether an outcome counts as an attempt. */
export function isAttempt(outcome: FetchOutcome): boolean {
  return outcome.kind !== 'failed' || !noAttempts.has(outcome.reason)
}

/** Decides whether a document is settled or postponed. `attempts` includes the one that just ended. A 429 or 503 is tried
 *  again after its Retry-After; the last one is kept as the answer of the server (RFC 9110 sections 15.6.4 and 10.2.3; RFC
 *  6585 section 4). */
export function settle(outcome: FetchOutcome, attempts: number, settings: CrawlSettings, nowMs: number): Settlement {
  const again = attempts < settings.attemptsMax
  const backOffMs = settings.retryDelayMs * 2 ** (attempts - 1)
  if (outcome.kind === 'failed') {
    if (!isAttempt(outcome)) return { event: 'postponed', delayMs: 0, why: outcome.detail }
    if (again && passing.has(outcome.reason)) return { event: 'postponed', delayMs: backOffMs, why: outcome.detail }
    return { event: 'settled', outcome: 'failed', reason: outcome.reason, detail: outcome.detail }
  }
  if (outcome.kind === 'local') return { event: 'settled', outcome: 'fetched' }
  const { status } = outcome.head
  if (again && (status === 429 || status === 503)) {
    const asked = retryAfterMs(outcome.head, nowMs)
    return {
      event: 'postponed',
      delayMs: Math.min(asked ?? backOffMs, retryAfterMsMax),
      why: message('capture.answered', { status }),
    }
  }
  return { event: 'settled', outcome: 'fetched' }
}

/** Parses Retry-After into milliseconds (RFC 9110 section 10.2.3): a number of seconds or a date. A date is compared with the
 *  Date field of the same answer (section 6.6.1), because the local clock may be wrong. Undefined if absent or invalid. */
export function retryAfterMs(head: Pick<HttpHead, 'fields'>, nowMs: number): number | undefined {
  const value = fieldOf(head, 'retry-after')
  if (value === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const untilMs = Date.parse(value)
  const serverMs = Date.parse(fieldOf(head, 'date') ?? '')
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - (Number.isNaN(serverMs) ? nowMs : serverMs))
}

/** Milliseconds for which the whole host gets no request after a 429 or 503: its Retry-After, or the delay before the first
 *  retry (RFC 9110 sections 15.6.4 and 10.2.3; RFC 6585 section 4). 0 for every other answer. */
export function hostDelayMsAfter(
  outcome: FetchOutcome,
  { retryDelayMs }: Pick<CrawlSettings, 'retryDelayMs'>,
  nowMs: number,
) {
  if (outcome.kind !== 'answered') return 0
  const { status } = outcome.head
  if (status !== 429 && status !== 503) return 0
  return Math.min(retryAfterMs(outcome.head, nowMs) ?? retryDelayMs, retryAfterMsMax)
}
