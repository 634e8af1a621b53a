/** Computes how many documents a refill takes: few, so that new and urgent documents are reached soon; more when the workers
 *  empty the ready buffer faster than a refill fills it. */

/** The buffer is refilled when it has fewer than this many documents per worker. */
const lowWaterFactor = 5
/** Least number of documents that a refill asks for, per worker. */
const baseFactor = 2
/** Largest refill; its cost is then spread over enough documents. */
const amountMax = 1_024

/** Measurements of the last refill. */
export interface RefillOutcome {
  asked: number
  taken: number
  refillMs: number
  /** How long the workers took for the documents of the previous refill; undefined if they have not finished them. */
  drainMs: number | undefined
}

/** Returns the number of ready documents below which the buffer is refilled. */
export const lowWaterOf = (workers: number): number => lowWaterFactor * workers
/** Returns the size of the smallest refill. */
export const baseAmountOf = (workers: number): number => Math.min(amountMax, baseFactor * workers)

/** Doubles the amount when a refill takes longer than the workers do, and halves it only when the workers take far longer
 *  (four times). ManifoldCF's stuffer adapts its amount to the same two measurements. */
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
