/** The queue of a job for display: by host, its front, its rules and budgets, and what the job is doing. Read-only. */
import type { QueueHost, QueueWhole } from '../../contract/services/live.ts'
import { patternProblem } from '../../contract/shapes/pattern.ts'
import type { Store } from '../../storage/storage.ts'
import { liftNamed } from './actions.ts'
import { doingNow } from './doingNow.ts'
import { hostsOf, sum } from './hostsNow.ts'
import { headMax, hostsMax } from './limits.ts'
import { liveStatements, viewStatements } from './live.sql.ts'

/** Which queue to read. */
export interface QueueQuery {
  job: number
  /** Name of the host to list; null for all hosts. The totals are always of the whole job. */
  host: string | null
  nowMs: number
}

/** Reads the queue. */
export function readQueue(store: Store, { job, host, nowMs }: QueueQuery): QueueWhole {
  const sql = liveStatements(store)
  const all = hostsOf(store, { job, nowMs })
  const hosts = host === null ? all : all.filter((each) => isNamed(each.host, host))
  const waiting = sum(all.map((each) => each.waiting))
  const inFlight = sum(all.map((each) => each.inFlight))
  return {
    job,
    priority: sql.job.get({ job })?.priority ?? 5,
    doing: doingNow(store, job, { hosts: all, nowMs }),
    waiting,
    inFlight,
    hosts: hosts.toSorted(byMostToDo).slice(0, hostsMax),
    hostsTotal: hosts.length,
    head: viewStatements(store)
      .head.all({ job, limit: headMax })
      .map(({ lift, ...row }) => ({ ...row, lift: liftNamed(lift) })),
    rules: rulesOf(store, job),
    budgets: budgetsOf(store, job, all),
  }
}

/** Whether the origin has this host name; a port may be given or left out. */
function isNamed(origin: string, host: string): boolean {
  return origin.endsWith(`://${host}`) || origin.includes(`://${host}:`)
}

function rulesOf(store: Store, job: number): QueueWhole['rules'] {
  const rejected = new Map(
    viewStatements(store)
      .rejected.all({ job })
      .map((row) => [row.pattern, row.documents]),
  )
  return liveStatements(store)
    .rules.all({ job })
    .map(({ id, pattern, addedMs }) => {
      const problem = patternProblem(pattern)
      return {
        rule: id,
        pattern,
        added: new Date(addedMs).toISOString(),
        problem,
        rejected: rejected.get(pattern) ?? 0,
      }
    })
}

function budgetsOf(store: Store, job: number, hosts: readonly QueueHost[]): QueueWhole['budgets'] {
  const sql = liveStatements(store)
  const excluded = new Map(
    viewStatements(store)
      .excludedByBudget.all({ job })
      .map((row) => [row.domain, row.documents]),
  )
  const waiting = Map.groupBy(hosts, ({ domain }) => domain)
  return sql.budgets.all({ job }).map((budget) => ({
    ...budget,
    ...(sql.use.get({ job, domain: budget.domain }) ?? { objects: 0, bytes: 0 }),
    waiting: sum((waiting.get(budget.domain) ?? []).map((host) => host.waiting)),
    excluded: excluded.get(budget.domain) ?? 0,
  }))
}

function byMostToDo(one: QueueHost, other: QueueHost): number {
  return other.waiting - one.waiting || other.inFlight - one.inFlight || (one.host < other.host ? -1 : 1)
}
