/** Time windows in which a job may run, for one record and for a whole schedule. Pure; `loops/jobStart.ts` acts on them. */
import type { Schedule, ScheduleRecord } from '../../contract/services/schedule.ts'
import { windowStarts } from './windowStarts.ts'

/** A time window. */
export interface Window {
  beginMs: number
  /** Null: the window does not close. */
  endMs: number | null
  minimal: boolean
}

const minuteMs = 60_000

/** Returns the first window of the record that began at `startMs` (rounded up to a whole minute) or later, and before
 *  `nowMs`, and is still open; undefined if there is none. Windows that are over are skipped. */
export function checkTimeMatch(record: ScheduleRecord, startMs: number, nowMs: number): Window | undefined {
  // A window that began its full duration ago is over.
  const openMs = record.durationMinutes === null ? -Infinity : nowMs - record.durationMinutes * minuteMs + 1
  const from = Math.ceil(Math.max(startMs, openMs) / minuteMs)
  const [begin] = windowStarts(record, from)
  return begin === undefined || begin * minuteMs >= nowMs ? undefined : windowAt(record, begin * minuteMs)
}

/** Returns the window that matches at `nowMs` for a job that was last assessed at `lastMs`. Of several the one with the
 *  latest end is chosen; one without an end takes precedence. */
export function assess(schedule: Schedule, lastMs: number, nowMs: number): Window | undefined {
  if (schedule.startMethod === 'DISABLE') return undefined
  return latestOf(
    schedule.records.map((record) => checkTimeMatch(record, startMsOf(schedule, record, lastMs, nowMs), nowMs)),
  )
}

function startMsOf({ startMethod }: Schedule, { durationMinutes }: ScheduleRecord, lastMs: number, nowMs: number) {
  const sinceMs = lastMs + 1
  const isInside = startMethod === 'WINDOWINSIDE' && durationMinutes !== null
  return isInside ? Math.min(sinceMs, nowMs - durationMinutes * minuteMs) : sinceMs
}

/** Returns the window that is open now, whether or not it started a run; of several the one that ends last. One without an
 *  end is never over, so it counts only at its beginning. */
export function openNow(schedule: Schedule, nowMs: number): Window | undefined {
  return latestOf(
    schedule.records.map((record) =>
      record.durationMinutes === null
        ? undefined
        : checkTimeMatch(record, nowMs - record.durationMinutes * minuteMs, nowMs),
    ),
  )
}

function latestOf(windows: (Window | undefined)[]): Window | undefined {
  return windows
    .filter((window) => window !== undefined)
    .reduce<Window | undefined>((best, window) => (best && endOf(best) >= endOf(window) ? best : window), undefined)
}

function endOf({ endMs }: Window): number {
  return endMs ?? Infinity
}

/** Returns the next windows that begin at `fromMs` or later, at most `count`. Of windows that begin together, the one with
 *  the latest end counts. */
export function nextRuns(records: readonly ScheduleRecord[], fromMs: number, count: number): Window[] {
  const from = Math.ceil(fromMs / minuteMs)
  const runs = new Map<number, Window>()
  for (const record of records) {
    for (const begin of first(windowStarts(record, from), count)) {
      const window = windowAt(record, begin * minuteMs)
      runs.set(begin, latestOf([runs.get(begin), window]) ?? window)
    }
  }
  return [...runs.values()].toSorted((one, other) => one.beginMs - other.beginMs).slice(0, count)
}

function* first<T>(values: Iterable<T>, count: number): Generator<T, void> {
  let left = count
  if (left === 0) return
  for (const value of values) {
    yield value
    left -= 1
    if (left === 0) return
  }
}

function windowAt({ durationMinutes, minimal }: ScheduleRecord, beginMs: number): Window {
  return { beginMs, endMs: durationMinutes === null ? null : beginMs + durationMinutes * minuteMs, minimal }
}
