/** Evaluates the fields of a schedule record. Empty fields use defaults: going from minute to hour, day, month and year, an
 *  empty field is its smallest value as long as no smaller unit was given, and "every" after that. Hour 2 alone is every day
 *  at 02:00, minute 30 alone is half past every hour, no field at all is the start of each year.
 *
 *  A day is given by its number in the month, by its day of the week, or by both, which must then both match. */
import type { ScheduleRecord } from '../../contract/services/schedule.ts'
import type { WallMinute } from './zone.ts'

/** Ascending, without repetition; 'any' does not restrict the time. */
export type Values = readonly number[] | 'any'

/** The evaluated fields of a record. */
export interface Fields {
  minutes: Values
  hours: Values
  daysOfMonth: Values
  daysOfWeek: Values
  months: Values
  years: Values
}

/** A date on the clock of a zone; `month` is 1 to 12. */
export interface WallDate {
  year: number
  month: number
  day: number
}

/** Evaluates the fields of a record. */
export function fieldsOf(record: ScheduleRecord): Fields {
  let isGiven = false
  const field = (given: ScheduleRecord['hours'], least: number | 'any', size: number): Values => {
    if (given === null) return isGiven || least === 'any' ? 'any' : [least]
    isGiven = true
    return valuesOf(given, size)
  }
  // The order matters: each field checks whether a smaller unit was given.
  const minutes = field(record.minutes, 0, 60)
  const hours = field(record.hours, 0, 24)
  const daysOfWeek = field(record.daysOfWeek, 'any', 7)
  const daysOfMonth = field(record.daysOfMonth, 1, 31)
  const months = field(record.months, 1, 12)
  const years = field(record.years, 'any', Infinity)
  return { minutes, hours, daysOfWeek, daysOfMonth, months, years }
}

function valuesOf(given: readonly number[] | 'any', size: number): Values {
  if (given === 'any') return 'any'
  const values = [...new Set(given)].toSorted((one, other) => one - other)
  // A list of all values is equivalent to any.
  return values.length === size ? 'any' : values
}

/** Tells whether the values include a value. */
export function has(values: Values, value: number): boolean {
  return values === 'any' || values.includes(value)
}

/** Tells whether the date fields of a record match a date. */
export function isOnDate(fields: Fields, { year, month, day }: WallDate): boolean {
  return (
    has(fields.years, year) &&
    has(fields.months, month) &&
    has(fields.daysOfMonth, day) &&
    has(fields.daysOfWeek, new Date(Date.UTC(year, month - 1, day)).getUTCDay())
  )
}

const minuteMs = 60_000

/** Returns the date of a wall-clock time. */
export function dateOf(wall: WallMinute): WallDate {
  const date = new Date(wall * minuteMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Returns midnight of the date; days and months beyond the end of their unit continue into the next. */
export function wallOf({ year, month, day }: WallDate): WallMinute {
  return Date.UTC(year, month - 1, day) / minuteMs
}

/** The Gregorian calendar repeats its days of the week every 400 years, but a 29 February falls on each of them within 40: a
 *  date that is not found in as many years does not exist. */
const searchYearsMax = 40

/** Returns midnight of the first matching date from that of `wall` on; undefined if there is none. */
export function nextDate(fields: Fields, wall: WallMinute): WallMinute | undefined {
  let date = dateOf(wall)
  const yearMost = fields.years === 'any' ? date.year + searchYearsMax : Math.max(...fields.years)
  while (date.year <= yearMost) {
    if (!has(fields.years, date.year)) date = { year: date.year + 1, month: 1, day: 1 }
    else if (!has(fields.months, date.month)) date = dateOf(wallOf({ ...date, month: date.month + 1, day: 1 }))
    else if (!isOnDate(fields, date)) date = dateOf(wallOf({ ...date, day: date.day + 1 }))
    else return wallOf(date)
  }
  return undefined
}
