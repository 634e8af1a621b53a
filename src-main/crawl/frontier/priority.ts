/** The order of the queue: the lower its number, the sooner a document is fetched. A document is counted within its bins (on
 *  the Web: its host name), so the k-th document of a slow bin comes after the k-th of a fast one in proportion to the rates,
 *  and many bins interleave. Pure; `numbering.ts` keeps the counters. */

/** Assumed duration of a fetch without limits. Only its proportion to that of a limited fetch matters. */
const unlimitedFetchMs = 50

/** Returns how much more room a document of this bin takes in the queue than one of a bin without limits. Infinite: never
 *  fetched. */
export function scaleOf(fetchesPerMs: number): number {
  return 1 + 1 / (unlimitedFetchMs * fetchesPerMs)
}

/** Returns the number at which a new bin begins to count: the depth that the queue has reached, so that it does not precede
 *  all others. */
export function floorOf(depthMin: number, scale: number): number {
  return depthMin / scale
}

/** Returns the priority of a document. `number` counts the documents of the bin before it. Infinity for a bin that is never
 *  fetched. */
export function priorityOf(places: readonly { number: number; scale: number }[]): number {
  return Math.log1p(Math.max(0, ...places.map(({ number, scale }) => (scale === Infinity ? Infinity : number * scale))))
}

/** Added to the priority of lowered documents: more than any queue can hold (e^40 documents), less than the priority of
 *  documents that are never fetched. */
const loweredBy = 1_000

/** Returns the position of documents that a user moved to the end: after all others, in their own order. */
export function lowered(priority: number, lift: number): number {
  return lift < 0 ? priority + loweredBy : priority
}

/** Returns the depth of a priority in the queue: the inverse of `priorityOf`. Lowering a document does not change its depth. */
export function depthOf(priority: number): number {
  return Math.expm1(priority % loweredBy)
}
