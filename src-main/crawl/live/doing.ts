/** Describes what a job is doing, or what it waits for. Pure. `schedule/status.ts` describes windows. */
import type { Schedule } from '../../contract/services/schedule.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { jobStates, phaseOf, type JobState } from '../../contract/states/jobStates.ts'
import { statusOf } from '../schedule/status.ts'
import type { Window } from '../schedule/windows.ts'

/** Circumstances that determine the description. */
export interface Circumstances {
  state: JobState
  /** Why the harvester paused the job, for example because the disk is nearly full; null if it did not. */
  reason: Message | null
  /** Text on connectors that the job needs and that are not installed; null if there are none. */
  lack: Message | null
  schedule: Schedule | null
  windowEndMs: number | null
  next: Window | undefined
  waiting: number
  inFlight: number
  /** Number of hosts with documents that must not be contacted yet, and the time until the first one may be. */
  resting: { hosts: number; afterMs: number }
  /** Number of queued documents that wait for a login. */
  forLogin: number
  /** Hosts with queued documents to which a throttle rule forbids all requests. */
  neverAsked: readonly { host: string; waiting: number }[]
  /** Time until the first postponed document is due; infinite if none is postponed. */
  dueAfterMs: number
}

/** Describes a job in these circumstances, in complete sentences. */
export function doingOf(now: Circumstances): Message {
  const { state, reason, lack } = now
  if (lack !== null && isWithoutConnector(state)) return lack
  if (reason !== null && phaseOf(state) !== 'resting') return reason
  if (phaseOf(state) === 'working') return withWindow(fetching(now), now)
  return isAboutWindows(state) ? statusOf(now) : jobStates.rows[state].meaning
}

function isWithoutConnector(state: JobState): boolean {
  return jobStates.next(state, 'connectorBack') !== undefined
}

/** Whether the job is at rest, paused, outside its window, or about to be, so that windows determine when it goes on. */
function isAboutWindows(state: JobState): boolean {
  const rested = jobStates.next(state, 'drained') ?? state
  return (['scheduled', 'windowBegan', 'resume'] as const).some((event) => jobStates.next(rested, event) !== undefined)
}

function fetching(now: Circumstances): Message {
  const { waiting, inFlight, resting, dueAfterMs, forLogin, neverAsked } = now
  if (inFlight > 0) return message('jobStatus.fetching', { inProgress: inFlight, queued: waiting })
  if (waiting === 0) return message('jobStatus.queueEmpty')
  if (resting.hosts > 0) {
    const duration = durationOf(resting.afterMs)
    return resting.hosts === 1
      ? message('jobStatus.politeness', { duration })
      : message('jobStatus.politeness.hosts', { duration, hosts: resting.hosts })
  }
  if (forLogin > 0) return message('jobStatus.login', { urls: forLogin })
  if (dueAfterMs > 0 && dueAfterMs < Infinity)
    return message('jobStatus.dueLater', { duration: durationOf(dueAfterMs) })
  const [never] = neverAsked
  if (never && neverAsked.reduce((sum, { waiting }) => sum + waiting, 0) >= waiting) {
    return neverAsked.length === 1
      ? message('jobStatus.throttled', { host: never.host })
      : message('jobStatus.throttled.hosts', { hosts: neverAsked.length })
  }
  return message('jobStatus.preparing', { queued: waiting })
}

function withWindow(activity: Message, now: Circumstances): Message {
  return now.windowEndMs === null ? activity : joined([activity, statusOf(now)])
}

/** Rounds a duration up to whole seconds, to minutes from two minutes, and to hours from two hours. */
function durationOf(ms: number): Message {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return message('duration.seconds', { count: seconds })
  if (seconds < 7200) return message('duration.minutes', { count: Math.ceil(seconds / 60) })
  return message('duration.hours', { count: Math.ceil(seconds / 3600) })
}
