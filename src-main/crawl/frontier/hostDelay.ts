/** How long a host rests after an answer. Several things ask for a pause; the longest wins. Pure. */

export interface DelayTerms {
  /** The least pause, from the end of one request to the start of the next. 0: none is kept, and nothing is adapted. */
  delayMs: number
  /** The delay is this many times the duration of the last answer, since a host that answers slowly is under load. */
  delayFactor: number
  /** What the factor may come to at the most. */
  delayMsMax: number
}

export interface LastAnswer {
  /** Time that the last answer took; 0 when there was none. */
  tookMs: number
  /** What the host's robots.txt asks for; 0 when nothing. */
  crawlDelayMs: number
}

export function pauseMsAfter(
  { delayMs, delayFactor, delayMsMax }: DelayTerms,
  { tookMs, crawlDelayMs }: LastAnswer,
): number {
  const adaptedMs = delayMs === 0 ? 0 : Math.min(tookMs * delayFactor, delayMsMax)
  return Math.max(delayMs, adaptedMs, crawlDelayMs)
}
