/** What a job with or without a schedule does or waits for, as a sentence. Which kind of sentence is the table's to say: a
 *  state that a window leads out of is outside its window, one that a person resumes is paused. Times are told in the time
 *  zone that the schedule is written in: that is the one its person thinks in. */
import type { Schedule } from '../../contract/schedule.ts'
import { jobStates, type JobState } from '../../contract/jobStates.ts'
import type { Window } from './windows.ts'

interface Standing {
  state: JobState
  schedule: Schedule | null
  /** Where the window ends that its run is in. */
  windowEndMs: number | null
  next: Window | undefined
}

/** Of a job in the middle of a run, while no Loupe works on its archive. */
export const standsStill = 'No Loupe is working on this archive: the job goes on when one is started.'

export function standingOf(standing: Standing): string {
  const { state } = standing
  if (jobStates.next(state, 'scheduled')) return restingOf(standing)
  if (waitsForWindow(state)) return outsideOf(standing, isPaused(state))
  // What it does anyhow is about to end, and with it its window.
  if (!jobStates.next(state, 'windowEnded')) return outsideEndingOf(standing, state)
  return insideOf(standing, isPaused(state))
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

function restingOf({ schedule, next }: Standing): string {
  if (schedule === null) return 'It starts only when somebody starts it.'
  if (schedule.startMethod === 'DISABLE') return 'Its schedule is switched off: it starts only when somebody starts it.'
  if (!next) return 'Its schedule has no further window: it starts only when somebody starts it.'
  return `Waiting for its window: next at ${momentIn(schedule, next.beginMs)}.`
}

function outsideOf(standing: Standing, paused: boolean): string {
  return paused
    ? `Paused by a person, and outside its window ${untilOf(standing)}.`
    : `Outside its window ${untilOf(standing)}.`
}

function outsideEndingOf(standing: Standing, state: JobState): string {
  const drained = jobStates.next(state, 'drained')
  if (drained === undefined || !jobStates.next(drained, 'windowBegan')) return runOf(standing)
  return `Its window has ended: what is being fetched is finished, then it waits ${untilOf(standing)}.`
}

function untilOf({ schedule, next }: Standing): string {
  if (schedule && next) return `until ${momentIn(schedule, next.beginMs)}`
  return 'for ever: no further window is in its schedule. Change the schedule, or stop the job'
}

function insideOf(standing: Standing, paused: boolean): string {
  return paused ? `Paused by a person. ${runOf(standing)}` : runOf(standing)
}

function runOf({ schedule, windowEndMs }: Standing): string {
  if (windowEndMs === null) return 'This run goes on until it is finished: no window ends it.'
  return `This run goes on until its window ends at ${momentIn(schedule, windowEndMs)}.`
}

/** `Monday 2026-11-23 02:00 (Europe/Berlin)`. */
export function momentIn(schedule: Schedule | null, ms: number): string {
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
