/** For tests and benchmarks of the history: random activities. */
import { activityKinds, historyQuery, type HistoryQuery } from '../../../contract/services/history.ts'
import type { Store } from '../../../storage/storage.ts'
import { historyWriter, type Activity } from '../activities.ts'

/** The query of a report, with defaults for omitted fields. */
export function queryOf(given: Parameters<typeof historyQuery.parse>[0]): HistoryQuery {
  return historyQuery.parse(given)
}

/** Adds the activities in one transaction. */
export function addActivities(store: Store, activities: readonly Activity[]): void {
  const add = historyWriter(store)
  store.transaction(() => activities.forEach(add))
}

const results = ['200', '200', '200', '301', '304', '404', '503', 'timeout', 'refused']

/** A random activity that begins at `beginMs`. `below(bound)` returns an integer in [0, bound). */
export function anyActivity(below: (bound: number) => number, beginMs: number, host = below(20)): Activity {
  const durationMs = below(900)
  const kind = activityKinds[below(3)] ?? 'fetch'
  const result = results[below(results.length)] ?? '200'
  return {
    kind,
    job: 1 + below(3),
    startMs: beginMs,
    durationMs,
    identifier: `https://host${host}.example.org/some/path/of/usual/length/page-${below(1e6)}.html`,
    result,
    bytes: /^\d/.test(result) ? below(100_000) : null,
    description: null,
  }
}
