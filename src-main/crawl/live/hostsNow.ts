/** Status of each host of a job, from the counters of the last commit and its queued documents. Read-only. */
import type { QueueHost } from '../../contract/services/live.ts'
import type { Store } from '../../storage/storage.ts'
import { domainOf } from '../model/urlKeys.ts'
import { paceMs } from './limits.ts'
import { viewStatements } from './live.sql.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

/** The hosts of a job, in no particular order. */
export function hostsOf(store: Store, { job, nowMs }: { job: number; nowMs: number }): QueueHost[] {
  const view = viewStatements(store)
  const waiting = new Map(view.waiting.all({ job }).map((row) => [row.host, row.documents]))
  const inFlight = new Map(view.inFlight.all({ job }).map((row) => [row.host, row.documents]))
  const needing = new Map(view.needing.all({ job }).map((row) => [row.host, row]))
  return view.hosts.all({ job }).map(({ id, origin, domain, fetched, failed, lastMs, readyMs, pace }) => {
    const notReady = waiting.get(id) ?? 0
    const held = inFlight.get(id) ?? 0
    const needs = needing.get(id)
    const isDue = notReady > (needs?.documents ?? 0)
    const isResting = readyMs !== null && readyMs > nowMs
    return {
      host: origin,
      domain: domain ?? domainOf(origin),
      // Documents handed out for a resting host are not being fetched yet, so they count as waiting.
      waiting: isResting ? notReady + held : notReady,
      inFlight: isResting ? 0 : held,
      fetched,
      failed,
      nextDue: isDue || !needs || needs.dueMs <= nowMs ? null : timeOf(needs.dueMs),
      restingUntil: isResting ? timeOf(readyMs) : null,
      // A time in the future means that the clock was set back since.
      pace: lastMs !== null && lastMs > nowMs - paceMs && lastMs <= nowMs ? pace : 0,
    }
  })
}

/** Sum of the numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
