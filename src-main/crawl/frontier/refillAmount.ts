/** How many documents a stuffing takes, and when the next is due: few, so that what is new and urgent comes soon; more, when
 *  the workers empty the hands quicker than a stuffing fills them. */

/** The hands are filled again below this many documents for each worker. */
const lowWaterFactor = 5
/** What a stuffing takes at the least, for each worker. */
const baseFactor = 2
/** More does not pay for itself: the cost of a stuffing is spread by then. */
const amountMax = 1_024

export interface RefillOutcome {
  asked: number
  taken: number
  refillMs: number
  /** What the workers needed to get through the stuffing before; undefined when they have not. */
  drainMs: number | undefined
}

export const lowWaterOf = (workers: number): number => lowWaterFactor * workers
export const baseAmountOf = (workers: number): number => Math.min(amountMax, baseFactor * workers)

/** The seed's pull agent halves whenever it does not double, since its test is always true. What it means: halve only when the
 *  workers need far longer than the stuffing. */
export function amountAfter(
  amount: number,
  workers: number,
  { asked, taken, refillMs, drainMs }: RefillOutcome,
): number {
  const base = baseAmountOf(workers)
  const within = (next: number) => Math.min(amountMax, Math.max(base, next))
  if (taken < asked || drainMs === undefined) return within(amount)
  if (refillMs >= drainMs) return within(amount * 2)
  return within(4 * refillMs < drainMs ? Math.floor(amount / 2) : amount)
}
