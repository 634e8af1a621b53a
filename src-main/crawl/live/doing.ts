/** Describes in one sentence what a job is doing, or what it waits for. Pure. `schedule/status.ts` writes the text on windows. */
import type { Schedule } from '../../contract/services/schedule.ts'
import { textOf } from '../../contract/words/render.ts'
import { jobStates, phaseOf, type JobState } from '../../contract/states/jobStates.ts'
import { statusOf } from '../schedule/status.ts'
import type { Window } from '../schedule/windows.ts'

/** Circumstances that determine the sentence. */
export interface Circumstances {
  state: JobState
  /** Why the harvester paused the job, for example because the disk is nearly full; null if it did not. */
  reason: string | null
  /** Text on connectors that the job needs and that are not installed; null if there are none. */
  lack: string | null
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

/** Writes the sentence. */
export function doingOf(now: Circumstances): string {
  const { state, reason, lack } = now
  if (lack !== null && isWithoutConnector(state)) return lack
  if (reason !== null && phaseOf(state) !== 'resting') return reason
  if (phaseOf(state) === 'working') return withWindow(fetchingText(now), now)
  return isAboutWindows(state) ? statusOf(now) : textOf(jobStates.rows[state].meaning)
}

function isWithoutConnector(state: JobState): boolean {
  return jobStates.next(state, 'connectorBack') !== undefined
}

/** Whether the job is at rest, paused, outside its window, or about to be, so that windows determine when it goes on. */
function isAboutWindows(state: JobState): boolean {
  const rested = jobStates.next(state, 'drained') ?? state
  return (['scheduled', 'windowBegan', 'resume'] as const).some((event) => jobStates.next(rested, event) !== undefined)
}

function fetchingText(now: Circumstances): string {
  const { waiting, inFlight, resting, dueAfterMs, forLogin, neverAsked } = now
  if (inFlight > 0) return `Fetching: ${inFlight} in progress, ${waiting} queued.`
  if (waiting === 0) return 'The queue is empty. The job is about to finish.'
  if (resting.hosts > 0) {
    const hosts = resting.hosts === 1 ? '' : ` to ${resting.hosts} hosts`
    return `Waiting ${durationText(resting.afterMs)} before the next request${hosts} (politeness).`
  }
  if (forLogin > 0) return `Logging in. Waiting for the login: ${forLogin} ${forLogin === 1 ? 'URL' : 'URLs'}.`
  if (dueAfterMs > 0 && dueAfterMs < Infinity)
    return `All queued URLs are due later, next in ${durationText(dueAfterMs)}.`
  const [never] = neverAsked
  if (never && neverAsked.reduce((sum, { waiting }) => sum + waiting, 0) >= waiting) {
    const who = neverAsked.length === 1 ? never.host : `${neverAsked.length} hosts`
    return `A throttle rule blocks all requests to ${who} (0 requests per minute), and nothing else is queued. Stop the job, or start a harvest with a different rule.`
  }
  return `${waiting} queued. Preparing the next requests.`
}

function withWindow(text: string, now: Circumstances): string {
  return now.windowEndMs === null ? text : `${text} ${statusOf(now)}`
}

function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}
