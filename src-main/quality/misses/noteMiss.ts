/** Adds misses to the table of their job, or counts them once more. */
import { keyOf } from '../../crawl/model/urlKeys.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import { missesPerJobMax } from '../model/limits.ts'
import { hostOf, pathGroupOf } from '../model/pathGroup.ts'
import { missStatements, type NewMiss } from './misses.sql.ts'

/** A miss as it is noticed. */
export interface Noticed extends Omit<NewMiss, 'key' | 'host' | 'path'> {
  /** The page that wanted it; '' where it is unknown. */
  page: string
  /** Whether a miss that a job has captured since, given the number of its patch job, is missing again. */
  isMissedAgain: (patchJob: number | null) => boolean
}

/** Returns a function that notes misses. It works in the transaction of its caller, and leaves out new misses of a job that has
 *  `missesPerJobMax`. */
export function missNoter(store: Store): (all: readonly Noticed[]) => void {
  const sql = missStatements(store)
  return (all) => {
    const counts = new Map<number, number>()
    for (const { page, isMissedAgain, ...miss } of all) {
      const identity = canonicalUrl(miss.url)
      if (identity === undefined) continue
      const key = keyOf(identity)
      const known = sql.known.get({ job: miss.job, key })
      if (known) {
        const { type, reason, lastMs, source } = miss
        // A run is read again after a kill: its failures are not counted twice.
        sql.repeat.run({ id: known.id, type, reason, lastMs, times: source === 'harvest' ? 0 : miss.times })
        if (isMissedAgain(known.patchJob)) sql.missedAgain.run({ id: known.id })
      }
      const id = known?.id ?? added(miss, key, counts)
      if (id === undefined) continue
      if (page !== '') sql.addPage.run({ id, page })
      sql.ignoreMatching.run({ id })
    }
  }

  function added(
    miss: Omit<NewMiss, 'key' | 'host' | 'path'>,
    key: Uint8Array,
    counts: Map<number, number>,
  ): number | undefined {
    const count = counts.get(miss.job) ?? sql.countOf.get({ job: miss.job })?.misses ?? 0
    if (count >= missesPerJobMax) return undefined
    counts.set(miss.job, count + 1)
    return sql.add.get({ ...miss, key, host: hostOf(miss.url), path: pathGroupOf(miss.url) })?.id
  }
}
