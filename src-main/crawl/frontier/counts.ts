/** The counters of a run, which its job shows while it runs. */

/** Counters of a run, or a change of them. */
export interface Counts {
  total: number
  fetched: number
  failed: number
  excluded: number
  duplicate: number
  bytes: number
}

/** Change of the counters, and whether a document waits that did not before. */
export interface Changed {
  counts: Counts
  hasNews: boolean
}

/** Counters of a run without documents, or no change of them. */
export const noCounts: Counts = { total: 0, fetched: 0, failed: 0, excluded: 0, duplicate: 0, bytes: 0 }

/** Adds up counters. */
export function sumOf(all: readonly Counts[]): Counts {
  const total = { ...noCounts }
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]
  }
  return total
}
