/** Delay of a host after an answer. Several settings ask for a pause; the longest applies. Pure. */

/** Settings of the delay. */
export interface DelayTerms {
  /** Least pause from the end of one request to the start of the next. 0: no pause, and the delay factor has no effect. */
  delayMs: number
  /** The delay is at least this many times the duration of the last answer, since a host that answers slowly is under load. */
  delayFactor: number
  /** Largest delay that the factor can lead to. */
  delayMsMax: number
}

/** The last answer of a host. */
export interface LastAnswer {
  /** Duration of the last answer; 0 if there was none. */
  tookMs: number
  /** Crawl-delay of the host's robots.txt; 0 if it has none. */
  crawlDelayMs: number
}

/** Returns the delay in milliseconds. */
export function pauseMsAfter(
  { delayMs, delayFactor, delayMsMax }: DelayTerms,
  { tookMs, crawlDelayMs }: LastAnswer,
): number {
  const adaptedMs = delayMs === 0 ? 0 : Math.min(tookMs * delayFactor, delayMsMax)
  return Math.max(delayMs, adaptedMs, crawlDelayMs)
}
