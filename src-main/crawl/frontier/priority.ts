/** The order of the queue: the lower its number, the sooner a document is fetched. A document counts within its bins (on the
 *  Web: its host name), so the k-th document of a slow bin comes after the k-th of a fast one by as much as it takes longer, and
 *  many bins interleave. Pure; `numbering.ts` keeps the counters. */

/** What a fetch without any limit is taken to last. Only the proportion to a limited one matters. */
const unlimitedFetchMs = 50

/** How much more room a document of this bin takes in the queue than one of a bin without limits. Infinite: never asked. */
export function scaleOf(fetchesPerMs: number): number {
  return 1 + 1 / (unlimitedFetchMs * fetchesPerMs)
}

/** Where a bin that was never met begins to count: at the depth that the queue has reached, not before everybody else. */
export function floorOf(depthMin: number, scale: number): number {
  return depthMin / scale
}

/** `number` counts the documents of the bin before this one. Infinity for a bin that is never asked. */
export function priorityOf(places: readonly { number: number; scale: number }[]): number {
  return Math.log1p(Math.max(0, ...places.map(({ number, scale }) => (scale === Infinity ? Infinity : number * scale))))
}

/** After everything that a queue can hold (e^40 documents), and before what is never fetched. */
const loweredBy = 1_000

/** The place of documents that a user moved to the end: after all others, in their own order. */
export function lowered(priority: number, lift: number): number {
  return lift < 0 ? priority + loweredBy : priority
}

/** How deep in the queue this priority stands: the other way round. What was put last stands no deeper for that. */
export function depthOf(priority: number): number {
  return Math.expm1(priority % loweredBy)
}
