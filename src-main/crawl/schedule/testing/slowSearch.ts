/** Finds the windows of a record by checking the clock at every minute; used only by tests. It shares no code with
 *  `windowStarts.ts`, `fields.ts` and `zone.ts`: the rules are implemented a second time. */
import { scheduleRecord, type ScheduleRecord } from '../../../contract/services/schedule.ts'

const minuteMs = 60_000

interface Shown {
  weekday: number
  month: number
  day: number
  year: number
  hour: number
  minute: number
}

/** Most by which a clock is put back at a time. */
const putBackMsMax = 3 * 60 * minuteMs

/** Returns every minute of [fromMs, toMs) at which a window of the record begins. */
export function slowWindowStarts(record: ScheduleRecord, fromMs: number, toMs: number): number[] {
  const found: number[] = []
  const isByHour = hoursOf(record) !== 'any'
  const clock = clockOf(record.timeZone ?? 'UTC')
  // The latest time shown so far: a time that is shown again is not new. Before `fromMs` an hour may have been doubled.
  let shownMax = -Infinity
  for (let ms = fromMs - putBackMsMax; ms < toMs; ms += minuteMs) {
    const wall = clock(ms)
    const isHit = isByHour ? range(shownMax, wall).some((shown) => hits(record, shown)) : hits(record, wall)
    shownMax = Math.max(shownMax, wall)
    if (isHit && ms >= fromMs) found.push(ms)
  }
  return found
}

/** Returns the minutes after `last` up to `wall`: those skipped by a change of the clock, and the one that is shown. Empty if
 *  there is no new one. */
function range(last: number, wall: number): number[] {
  const length = last === -Infinity ? 1 : Math.max(0, wall - last)
  return Array.from({ length }, (_, index) => wall - index)
}

/** Returns a function that gives the wall-clock time in minutes. */
function clockOf(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (ms) => Date.parse(`${format.format(ms).replace(' ', 'T')}:00Z`) / minuteMs
}

function hits(record: ScheduleRecord, wall: number): boolean {
  const date = new Date(wall * minuteMs)
  const shown: Shown = {
    weekday: date.getUTCDay(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    year: date.getUTCFullYear(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
  const { minutes, hours, daysOfWeek, daysOfMonth, months, years } = record
  const untilHour = minutes !== null
  const untilWeekday = untilHour || hours !== null
  const untilDay = untilWeekday || daysOfWeek !== null
  const untilMonth = untilDay || daysOfMonth !== null
  return (
    fits(minutes, shown.minute, 0) &&
    fits(hours, shown.hour, untilHour ? undefined : 0) &&
    fits(daysOfWeek, shown.weekday, undefined) &&
    fits(daysOfMonth, shown.day, untilDay ? undefined : 1) &&
    fits(months, shown.month, untilMonth ? undefined : 1) &&
    fits(years, shown.year, undefined)
  )
}

function fits(given: readonly number[] | 'any' | null, value: number, least: number | undefined): boolean {
  if (given === null) return least === undefined || value === least
  return given === 'any' || given.includes(value)
}

function hoursOf({ hours, minutes }: ScheduleRecord): 'any' | 'some' {
  if (hours === null) return minutes === null ? 'some' : 'any'
  return hours === 'any' || new Set(hours).size === 24 ? 'any' : 'some'
}

/** Completes a record as users write it, with empty fields left out. */
export function recordOf(given: Partial<ScheduleRecord>): ScheduleRecord {
  return scheduleRecord.parse(given)
}
