/** Writes a schedule record as a sentence: "every Monday at 02:00 for 3 hours, Europe/Berlin". It states the effect of the
 *  fields, not which of them were given. */
import type { ScheduleRecord } from '../../contract/services/schedule.ts'
import { fieldsOf, type Fields, type Values } from './fields.ts'

export function inWords(record: ScheduleRecord): string {
  const fields = fieldsOf(record)
  const kind = record.minimal ? ', only what is new' : ''
  return `${whenOf(fields)} ${lengthOf(record.durationMinutes)}, ${record.timeZone ?? 'UTC'}${kind}`
}

/** Most times of day to list; more of them are described by their hours and minutes. */
const timesMax = 6

function whenOf(fields: Fields): string {
  const { hours, minutes } = fields
  if (hours === 'any') return `${everyHour(minutes)}${throughout(fields)}`
  if (minutes === 'any') return `${daysOf(fields)} at every minute of ${hoursOf(hours)}`
  if (hours.length * minutes.length > timesMax) return `${daysOf(fields)} at ${minutesOf(minutes)} of ${hoursOf(hours)}`
  const times = hours.flatMap((hour) => minutes.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`))
  return `${daysOf(fields)} at ${listOf(times)}`
}

function everyHour(minutes: Values): string {
  if (minutes === 'any') return 'every minute'
  return minutes.join() === '0' ? 'every hour' : `every hour at ${minutesOf(minutes)}`
}

function throughout(fields: Fields): string {
  const days = daysOf(fields)
  return days === 'every day' ? '' : `, ${days}`
}

function daysOf({ daysOfWeek, daysOfMonth, months, years }: Fields): string {
  const inYears = years === 'any' ? '' : ` in ${listOf(years.map(String))}`
  const ofMonths = months === 'any' ? '' : ` of ${listOf(months.map((month) => monthNames[month - 1] ?? ''))}`
  if (daysOfMonth === 'any') {
    const inMonths = months === 'any' ? '' : ` in ${listOf(months.map((month) => monthNames[month - 1] ?? ''))}`
    return `${weekdaysOf(daysOfWeek)}${inMonths}${inYears}`
  }
  const dates = `on the ${listOf(daysOfMonth.map(ordinal))}${ofMonths === '' ? ' of every month' : ofMonths}${inYears}`
  return daysOfWeek === 'any' ? dates : `${dates} where that is ${aOf(daysOfWeek)}`
}

function weekdaysOf(daysOfWeek: Values): string {
  if (daysOfWeek === 'any') return 'every day'
  if (daysOfWeek.join() === '1,2,3,4,5') return 'every day from Monday to Friday'
  return `every ${listOf(mondayFirst(daysOfWeek))}`
}

function aOf(daysOfWeek: readonly number[]): string {
  return `a ${mondayFirst(daysOfWeek).join(' or a ')}`
}

function mondayFirst(daysOfWeek: readonly number[]): string[] {
  return daysOfWeek.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7)).map((day) => weekdayNames[day] ?? '')
}

function minutesOf(minutes: readonly number[]): string {
  return `minute${minutes.length === 1 ? '' : 's'} ${listOf(minutes.map(String))}`
}

function hoursOf(hours: readonly number[]): string {
  return `the hour${hours.length === 1 ? '' : 's'} ${listOf(hours.map(String))}`
}

const units = [
  { unit: 'day', minutes: 24 * 60 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
]

function lengthOf(durationMinutes: number | null): string {
  if (durationMinutes === null) return 'until it is finished'
  let left = durationMinutes
  const parts = units.flatMap(({ unit, minutes }) => {
    const count = Math.floor(left / minutes)
    left -= count * minutes
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return `for ${listOf(parts)}`
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
