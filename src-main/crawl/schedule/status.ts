/** What a job with or without a schedule does or waits for, as a sentence. Which kind of sentence is the table's to say: a
 *  state that a window leads out of is outside its window, one that a person resumes is paused. Times are told in the time
 *  zone that the schedule is written in: that is the one its person thinks in. */
import type { Schedule } from '../../contract/services/schedule.ts'
import { jobStates, type JobState } from '../../contract/states/jobStates.ts'
import type { Window } from './windows.ts'

interface StatusInput {
  state: JobState
  schedule: Schedule | null
  /** Where the window ends that its run is in. */
  windowEndMs: number | null
  next: Window | undefined
}

/** Of a job in the middle of a run, while no Loupe works on its archive. */
export const noEngineText = 'No Loupe is working on this archive: the job goes on when one is started.'

export function statusOf(input: StatusInput): string {
  const { state } = input
  if (jobStates.next(state, 'scheduled')) return idleStatusOf(input)
  if (waitsForWindow(state)) return outsideOf(input, isPaused(state))
  // What it does anyhow is about to end, and with it its window.
  if (!jobStates.next(state, 'windowEnded')) return outsideEndingOf(input, state)
  return insideOf(input, isPaused(state))
}

/** Paused, or on its way there: what a person has asked for, whatever the windows do. */
function isPaused(state: JobState): boolean {
  const rested = jobStates.next(state, 'drained') ?? state
  return jobStates.next(rested, 'resume') !== undefined
}

/** Its next window, and nothing else, lets it go on. */
export function waitsForWindow(state: string): boolean {
  return jobStates.next(state as JobState, 'windowBegan') !== undefined
}

function idleStatusOf({ schedule, next }: StatusInput): string {
  if (schedule === null) return 'It starts only when somebody starts it.'
  if (schedule.startMethod === 'DISABLE') return 'Its schedule is switched off: it starts only when somebody starts it.'
  if (!next) return 'Its schedule has no further window: it starts only when somebody starts it.'
  return `Waiting for its window: next at ${timeInZone(schedule, next.beginMs)}.`
}

function outsideOf(input: StatusInput, paused: boolean): string {
  return paused
    ? `Paused by a person, and outside its window ${untilOf(input)}.`
    : `Outside its window ${untilOf(input)}.`
}

function outsideEndingOf(input: StatusInput, state: JobState): string {
  const drained = jobStates.next(state, 'drained')
  if (drained === undefined || !jobStates.next(drained, 'windowBegan')) return runOf(input)
  return `Its window has ended: what is being fetched is finished, then it waits ${untilOf(input)}.`
}

function untilOf({ schedule, next }: StatusInput): string {
  if (schedule && next) return `until ${timeInZone(schedule, next.beginMs)}`
  return 'for ever: no further window is in its schedule. Change the schedule, or stop the job'
}

function insideOf(input: StatusInput, paused: boolean): string {
  return paused ? `Paused by a person. ${runOf(input)}` : runOf(input)
}

function runOf({ schedule, windowEndMs }: StatusInput): string {
  if (windowEndMs === null) return 'This run goes on until it is finished: no window ends it.'
  return `This run goes on until its window ends at ${timeInZone(schedule, windowEndMs)}.`
}

/** `Monday 2026-11-23 02:00 (Europe/Berlin)`. */
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
