/** A job's queue as people see it: by host, the front of it, its rules and budgets, and what the job does now. It only reads. */
import { harvestDefinition } from '../../contract/contract.ts'
import type { JobState } from '../../contract/jobStates.ts'
import type { QueueHost, QueueWhole } from '../../contract/live.ts'
import type { Store } from '../../storage/storage.ts'
import { openConnectors } from '../connectors/installed.ts'
import { jobStatements } from '../jobs.sql.ts'
import { scheduleStatements } from '../schedule/schedule.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'
import { nextRuns } from '../schedule/windows.ts'
import { liftNamed } from './deeds.ts'
import { doingOf } from './doing.ts'
import { domainOf } from './domains.ts'
import { headMax, hostsMax, paceMs } from './limits.ts'
import { liveStatements, viewStatements } from './live.sql.ts'

export interface Look {
  job: number
  /** Null: all of them. */
  host: string | null
  nowMs: number
}

export function lookAt(store: Store, { job, host, nowMs }: Look): QueueWhole {
  const sql = liveStatements(store)
  const hosts = hostsOf(store, { job, host, nowMs })
  const waiting = sum(hosts.map((each) => each.waiting))
  const inFlight = sum(hosts.map((each) => each.inFlight))
  return {
    job,
    priority: sql.job.get({ job })?.priority ?? 5,
    doing: doingNow(store, job, nowMs, { hosts, waiting, inFlight }),
    waiting,
    inFlight,
    hosts: hosts.toSorted(byMostToDo).slice(0, hostsMax),
    hostsTotal: hosts.length,
    head: viewStatements(store)
      .head.all({ job, limit: headMax })
      .map(({ lift, ...row }) => ({ ...row, lift: liftNamed(lift) })),
    rules: rulesOf(store, job),
    budgets: budgetsOf(store, job),
  }
}

function hostsOf(store: Store, { job, host, nowMs }: Look): QueueHost[] {
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
      pace: lastMs !== null && nowMs - lastMs < paceMs ? pace : 0,
    }
  })
}

function rulesOf(store: Store, job: number): QueueWhole['rules'] {
  const rejected = new Map(
    viewStatements(store)
      .rejected.all({ job })
      .map((row) => [row.pattern, row.documents]),
  )
  return liveStatements(store)
    .rules.all({ job })
    .map(({ id, pattern, addedMs, givenUpMs }) => ({
      rule: id,
      pattern,
      added: new Date(addedMs).toISOString(),
      givenUp: timeOf(givenUpMs),
      rejected: rejected.get(pattern) ?? 0,
    }))
}

function budgetsOf(store: Store, job: number): QueueWhole['budgets'] {
  const sql = liveStatements(store)
  const excluded = new Map(
    viewStatements(store)
      .excludedByBudget.all({ job })
      .map((row) => [row.domain, row.documents]),
  )
  return sql.budgets.all({ job }).map((budget) => ({
    ...budget,
    ...(sql.use.get({ job, domain: budget.domain }) ?? { objects: 0, bytes: 0 }),
    waiting: sql.waitingOfDomain.get({ job, domain: budget.domain })?.documents ?? 0,
    excluded: excluded.get(budget.domain) ?? 0,
  }))
}

function doingNow(
  store: Store,
  job: number,
  nowMs: number,
  { hosts, waiting, inFlight }: { hosts: QueueHost[]; waiting: number; inFlight: number },
): string {
  const row = jobStatements(store).one.get({ job })
  if (!row) return ''
  const schedule = row.schedule === null ? null : scheduleOf(row.schedule)
  const isScheduled = schedule !== null && schedule.startMethod !== 'DISABLE'
  // What is in the hands of a host that rests is not being fetched.
  const busy = hosts.filter((host) => host.waiting + host.inFlight > 0)
  const resting = busy.filter((host) => host.restingUntil !== null)
  const due = hosts.flatMap(({ nextDue }) => (nextDue === null ? [] : [Date.parse(nextDue)]))
  return doingOf({
    state: row.state as JobState,
    reason: row.errorText,
    lack:
      openConnectors(store)
        .lackOf(harvestDefinition.parse(JSON.parse(row.definition)))
        .join(' ') || null,
    schedule,
    windowEndMs: scheduleStatements(store).one.get({ job })?.windowEndMs ?? null,
    next: isScheduled ? nextRuns(schedule.records, nowMs, 1)[0] : undefined,
    waiting: waiting + sum(resting.map((host) => host.inFlight)),
    inFlight: inFlight - sum(resting.map((host) => host.inFlight)),
    resting: {
      hosts: resting.length,
      afterMs: Math.min(...resting.map(({ restingUntil }) => Date.parse(restingUntil ?? '') - nowMs)),
    },
    dueAfterMs: Math.min(...due) - nowMs,
  })
}

function byMostToDo(one: QueueHost, other: QueueHost): number {
  return other.waiting - one.waiting || other.inFlight - one.inFlight || (one.host < other.host ? -1 : 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
