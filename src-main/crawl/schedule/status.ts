/** Describes as a sentence what a job with or without a schedule does or waits for. The state table decides which: a state
 *  that a window leads out of is outside its window, one that a user resumes is paused. Times are given in the time zone of
 *  the schedule. */
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
export const noEngineText = 'Loupe is not running on this archive. The job resumes when Loupe is started.'

/** Returns the sentence. */
export function statusOf(input: StatusInput): string {
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
export function waitsForWindow(state: string): boolean {
  return jobStates.next(state as JobState, 'windowBegan') !== undefined
}

function idleStatusOf({ schedule, next }: StatusInput): string {
  if (schedule === null) return 'Not scheduled. Start it manually.'
  if (schedule.startMethod === 'DISABLE') return 'The schedule is off. Start the job manually.'
  if (!next) return 'The schedule has no more time windows. Start the job manually.'
  return `Next run: ${timeInZone(schedule, next.beginMs)}.`
}

function outsideOf(input: StatusInput, paused: boolean): string {
  return paused
    ? `Paused by a user. Outside its time window ${untilOf(input)}.`
    : `Outside its time window ${untilOf(input)}.`
}

function outsideEndingOf(input: StatusInput, state: JobState): string {
  const drained = jobStates.next(state, 'drained')
  if (drained === undefined || !jobStates.next(drained, 'windowBegan')) return runOf(input)
  return `The time window has ended. Finishing requests in progress, then waiting ${untilOf(input)}.`
}

function untilOf({ schedule, next }: StatusInput): string {
  if (schedule && next) return `until ${timeInZone(schedule, next.beginMs)}`
  return 'indefinitely: the schedule has no more time windows. Change the schedule or stop the job'
}

function insideOf(input: StatusInput, paused: boolean): string {
  if (!paused) return runOf(input)
  const { schedule, windowEndMs } = input
  const window = windowEndMs === null ? '' : ` Its time window closes at ${timeInZone(schedule, windowEndMs)}.`
  return `Paused by a user.${window}`
}

function runOf({ schedule, windowEndMs }: StatusInput): string {
  if (windowEndMs === null) return 'No time window: runs until finished.'
  return `Runs until its time window closes at ${timeInZone(schedule, windowEndMs)}.`
}

/** Formats a time: `Monday 2026-11-23 02:00 (Europe/Berlin)`. */
export function timeInZone(schedule: Schedule | null, ms: number): string {
  const timeZone = schedule?.records[0]?.timeZone ?? 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  return `${part['weekday']} ${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']} (${timeZone})`
}
