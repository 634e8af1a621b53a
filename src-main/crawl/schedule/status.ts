/** Describes what a job with or without a schedule does or waits for. The state table decides which: a state
 *  that a window leads out of is outside its window, one that a user resumes is paused. Times are given in the time zone of
 *  the schedule. */
import { message, type Message } from '../../contract/words/message.ts'
import type { Schedule } from '../../contract/services/schedule.ts'
import { jobStates, type JobState } from '../../contract/states/jobStates.ts'
import type { Window } from './windows.ts'

interface StatusInput {
  state: JobState
  schedule: Schedule | null
  /** End of the window of the current run. */
  windowEndMs: number | null
  next: Window | undefined
}

/** Status of a job in the middle of a run while Loupe is not running on its archive. */
export const noEngineStatus = message('jobStatus.noEngine')

/** Returns the status as one or two sentences. */
export function statusOf(input: StatusInput): Message {
  const { state } = input
  if (jobStates.next(state, 'scheduled')) return idleStatusOf(input)
  if (waitsForWindow(state)) return outsideOf(input, isPaused(state))
  // The run is ending, and its window with it.
  if (!jobStates.next(state, 'windowEnded')) return outsideEndingOf(input, state)
  return insideOf(input, isPaused(state))
}

/** Tells whether a user has paused the job, or asked to, independent of windows. */
function isPaused(state: JobState): boolean {
  const rested = jobStates.next(state, 'drained') ?? state
  return jobStates.next(rested, 'resume') !== undefined
}

/** Tells whether only the next window resumes the job. */
export function waitsForWindow(state: JobState): boolean {
  return jobStates.next(state, 'windowBegan') !== undefined
}

function idleStatusOf({ schedule, next }: StatusInput): Message {
  if (schedule === null) return message('jobStatus.notScheduled')
  if (schedule.startMethod === 'DISABLE') return message('jobStatus.scheduleOff')
  if (!next) return message('jobStatus.scheduleOver')
  return message('jobStatus.nextRun', { time: timeInZone(schedule, next.beginMs) })
}

function outsideOf({ schedule, next }: StatusInput, paused: boolean): Message {
  const outside =
    schedule && next
      ? message('jobStatus.outside', { time: timeInZone(schedule, next.beginMs) })
      : message('jobStatus.outside.over')
  return paused ? message('jobStatus.paused.outside', { outside }) : outside
}

function outsideEndingOf(input: StatusInput, state: JobState): Message {
  const drained = jobStates.next(state, 'drained')
  if (drained === undefined || !jobStates.next(drained, 'windowBegan')) return runOf(input)
  const { schedule, next } = input
  if (!schedule || !next) return message('jobStatus.ending.over')
  return message('jobStatus.ending', { time: timeInZone(schedule, next.beginMs) })
}

function insideOf(input: StatusInput, paused: boolean): Message {
  if (!paused) return runOf(input)
  const { schedule, windowEndMs } = input
  if (windowEndMs === null) return message('jobStatus.paused')
  return message('jobStatus.paused.inWindow', { time: timeInZone(schedule, windowEndMs) })
}

function runOf({ schedule, windowEndMs }: StatusInput): Message {
  if (windowEndMs === null) return message('jobStatus.noWindow')
  return message('jobStatus.inWindow', { time: timeInZone(schedule, windowEndMs) })
}

/** Names a time: `Monday 2026-11-23 02:00 (Europe/Berlin)`. */
export function timeInZone(schedule: Schedule | null, ms: number): Message {
  const timeZone = schedule?.records[0]?.timeZone ?? 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  return message('time.inZone', {
    weekday: message(`weekday.${part['weekday'] as 'Mon'}`),
    date: `${part['year']}-${part['month']}-${part['day']}`,
    time: `${part['hour']}:${part['minute']}`,
    zone: timeZone,
  })
}
