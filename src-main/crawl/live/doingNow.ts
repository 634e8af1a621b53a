/** Reads from the database what a job is doing, which `doing.ts` describes in a sentence. */
import { Fault } from '../../contract/calls/faults.ts'
import type { QueueHost } from '../../contract/services/live.ts'
import { limitsBy, throttleShape } from '../../contract/shapes/throttle.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { connectorsIn } from '../capture/connectors/registry.ts'
import { connectionsNamed, withThrottlesOf } from '../connections/namedConnections.ts'
import { openConnectors } from '../capture/connectors/installed.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { isWaiting } from '../model/documentSets.ts'
import { scheduleStatements } from '../schedule/schedule.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'
import { nextRuns } from '../schedule/windows.ts'
import { doingOf } from './doing.ts'
import { sum } from './hostsNow.ts'

/** Describes what the job is doing. Throws `Fault` notFound if there is no such job: it may be deleted while a thread reads its
 *  queue. `hosts` are all hosts of the job. */
export function doingNow(
  store: Store,
  job: number,
  { hosts, nowMs }: { hosts: readonly QueueHost[]; nowMs: number },
): Message {
  const row = jobStatements(store).one.get({ job })
  if (!row) throw new Fault('notFound', message('job.absent', { job }))
  const schedule = row.schedule === null ? null : scheduleOf(row.schedule)
  const isScheduled = schedule !== null && schedule.startMethod !== 'DISABLE'
  const busy = hosts.filter((host) => host.waiting + host.inFlight > 0)
  const resting = busy.filter((host) => host.restingUntil !== null)
  const connectors = connectorsIn(row)
  const throttle = row.throttle === null ? undefined : throttleShape.parse(JSON.parse(row.throttle))
  const { repository } = connectionsNamed(store, { connectors })
  const limitsOf = limitsBy(withThrottlesOf({ throttle }, repository).throttle?.rules ?? [])
  const due = hosts.flatMap(({ nextDue }) => (nextDue === null ? [] : [Date.parse(nextDue)]))
  return doingOf({
    state: row.state,
    reason: messageFrom(row.errorText),
    lack: openConnectors(store).lackOf(job, { connectors }) ?? null,
    schedule,
    windowEndMs: scheduleStatements(store).one.get({ job })?.windowEndMs ?? null,
    next: isScheduled ? nextRuns(schedule.records, nowMs, 1)[0] : undefined,
    waiting: sum(hosts.map((host) => host.waiting)),
    inFlight: sum(hosts.map((host) => host.inFlight)),
    forLogin: waitingForEvent(store).get({ job })?.documents ?? 0,
    neverAsked: busy.filter(({ host }) => limitsOf(new URL(host).hostname).fetchesPerMs === 0),
    resting: {
      hosts: resting.length,
      afterMs: Math.min(...resting.map(({ restingUntil }) => Date.parse(restingUntil ?? '') - nowMs)),
    },
    dueAfterMs: Math.min(...due) - nowMs,
  })
}

/** Counts the documents that wait for a prerequisite event in progress, which is a login. */
function waitingForEvent(store: Store) {
  return store.statement<{ job: number }, { documents: number }>(
    `SELECT COUNT(DISTINCT document.id) AS documents FROM live_event
     JOIN prerequisite ON prerequisite.event = live_event.name JOIN document ON document.id = prerequisite.document_id
     WHERE live_event.job_id = @job AND document.job_id = @job AND document.${isWaiting}`,
  )
}
