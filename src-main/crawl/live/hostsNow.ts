/** How each host of a job stands now, as the last commit left it and as its documents wait. It only reads. */
import type { QueueHost } from '../../contract/live.ts'
import type { Store } from '../../storage/storage.ts'
import { domainOf } from './domains.ts'
import { paceMs } from './limits.ts'
import { viewStatements } from './live.sql.ts'

export interface Look {
  job: number
  /** Null: all of them. */
  host: string | null
  nowMs: number
}

export function hostsOf(store: Store, { job, host, nowMs }: Look): QueueHost[] {
  const view = viewStatements(store)
  const waiting = new Map(view.waiting.all({ job }).map((row) => [row.host, row.documents]))
  const inFlight = new Map(view.inFlight.all({ job }).map((row) => [row.host, row.documents]))
  const needing = new Map(view.needing.all({ job }).map((row) => [row.host, row]))
  return view.hosts.all({ job, host }).map(({ id, origin, domain, fetched, failed, lastMs, readyMs, pace }) => {
    const waits = waiting.get(id) ?? 0
    const needs = needing.get(id)
    const isDue = waits > (needs?.documents ?? 0)
    return {
      host: origin,
      domain: domain ?? domainOf(origin),
      waiting: waits,
      inFlight: inFlight.get(id) ?? 0,
      fetched,
      failed,
      nextDue: isDue || !needs || needs.dueMs <= nowMs ? null : timeOf(needs.dueMs),
      restingUntil: readyMs !== null && readyMs > nowMs ? timeOf(readyMs) : null,
      // A moment that is still to come is of a clock that was set back since.
      pace: lastMs !== null && lastMs > nowMs - paceMs && lastMs <= nowMs ? pace : 0,
    }
  })
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
