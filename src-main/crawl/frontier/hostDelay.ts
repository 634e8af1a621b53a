/** How long a host rests after an answer. Several things ask for a pause; the longest wins. Pure. */
import type { FetchOutcome } from '../capture/fetch/fetch.ts'
import { retryAfterMsMax, type CrawlSettings } from '../model/limits.ts'
import { retryAfterMs } from '../settle/attempt.ts'

export interface DelayTerms {
  /** The least pause, from the end of one request to the start of the next. 0: none is kept, and nothing is adapted. */
  delayMs: number
  /** The pause is this many times what the last answer took: who answers slowly is under load. */
  delayFactor: number
  /** What the factor may come to at the most. */
  delayMsMax: number
}

export interface Asked {
  /** Time that the last answer took; 0 when there was none. */
  tookMs: number
  /** What the host's robots.txt asks for; 0 when nothing. */
  crawlDelayMs: number
}

export function pauseMsAfter(
  { delayMs, delayFactor, delayMsMax }: DelayTerms,
  { tookMs, crawlDelayMs }: Asked,
): number {
  const adaptedMs = delayMs === 0 ? 0 : Math.min(tookMs * delayFactor, delayMsMax)
  return Math.max(delayMs, adaptedMs, crawlDelayMs)
}

/** 429 and 503 are said by the whole host, not by one document: it is left alone for as long as it says, or for as long as the
 *  first retry waits (RFC 9110 sections 15.6.4 and 10.2.3; RFC 6585 section 4). 0 for every other answer. */
export function restMsAfter(
  outcome: FetchOutcome,
  { retryDelayMs }: Pick<CrawlSettings, 'retryDelayMs'>,
  nowMs: number,
) {
  if (outcome.kind !== 'answered') return 0
  const { status } = outcome.head
  if (status !== 429 && status !== 503) return 0
  return Math.min(retryAfterMs(outcome.head, nowMs) ?? retryDelayMs, retryAfterMsMax)
}
