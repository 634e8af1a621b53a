/** Describes a schedule record: "every Monday at 02:00 for 3 hours, Europe/Berlin". It states the effect of the fields, not
 *  which of them were given. */
import { alternatives, series } from '../../contract/words/joined.ts'
import { message, type Message, type MessageValue } from '../../contract/words/message.ts'
import type { ScheduleRecord } from '../../contract/services/schedule.ts'
import { fieldsOf, type Fields, type Values } from './fields.ts'

/** Describes a record in a sentence, for the list of schedules and its preview. */
export function inWords(record: ScheduleRecord): Message {
  const values = {
    when: whenOf(fieldsOf(record)),
    length: lengthOf(record.durationMinutes),
    zone: record.timeZone ?? 'UTC',
  }
  return message(record.minimal ? 'schedule.record.minimal' : 'schedule.record', values)
}

/** Most times of day to list; more of them are described by their hours and minutes. */
const timesMax = 6

function whenOf(fields: Fields): Message {
  const { hours, minutes } = fields
  if (hours === 'any') return onDays(everyHour(minutes), fields)
  return message('schedule.daysAt', { days: daysOf(fields), times: timesOf(hours, minutes) })
}

function timesOf(hours: readonly number[], minutes: Values): MessageValue {
  const ofHours = message('schedule.hours', { count: hours.length, list: series(hours.map(String)) })
  if (minutes === 'any') return message('schedule.everyMinute.of', { hours: ofHours })
  if (hours.length * minutes.length > timesMax) {
    return message('schedule.minutesOf', { minutes: minutesOf(minutes), hours: ofHours })
  }
  return series(hours.flatMap((hour) => minutes.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`)))
}

function everyHour(minutes: Values): Message {
  if (minutes === 'any') return message('schedule.everyMinute')
  if (minutes.join() === '0') return message('schedule.everyHour')
  return message('schedule.everyHour.at', { minutes: minutesOf(minutes) })
}

function onDays(times: Message, fields: Fields): Message {
  const days = daysOf(fields)
  return days.code === 'schedule.everyDay' ? times : message('schedule.onDays', { times, days })
}

function daysOf({ daysOfWeek, daysOfMonth, months, years }: Fields): Message {
  const named = months === 'any' ? undefined : series(months.map(monthOf))
  if (daysOfMonth === 'any') {
    const days = weekdaysOf(daysOfWeek)
    return inYears(named === undefined ? days : message('schedule.in', { days, list: named }), years)
  }
  const dates = series(daysOfMonth.map((day) => message('schedule.ordinal', { day })))
  const inMonths =
    named === undefined
      ? message('schedule.dates', { dates })
      : message('schedule.dates.ofMonths', { dates, months: named })
  if (daysOfWeek === 'any') return inYears(inMonths, years)
  const weekdays = alternatives(mondayFirst(daysOfWeek).map((weekday) => message('schedule.aWeekday', { weekday })))
  return message('schedule.datesOnWeekdays', { dates: inYears(inMonths, years), weekdays })
}

function inYears(days: Message, years: Values): Message {
  return years === 'any' ? days : message('schedule.in', { days, list: series(years.map(String)) })
}

function weekdaysOf(daysOfWeek: Values): Message {
  if (daysOfWeek === 'any') return message('schedule.everyDay')
  if (daysOfWeek.join() === '1,2,3,4,5') return message('schedule.workdays')
  return message('schedule.weekdays', { weekdays: series(mondayFirst(daysOfWeek)) })
}

function mondayFirst(daysOfWeek: readonly number[]): Message[] {
  return daysOfWeek.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7)).map(weekdayOf)
}

function minutesOf(minutes: readonly number[]): Message {
  return message('schedule.minutes', { count: minutes.length, list: series(minutes.map(String)) })
}

const units = [
  { code: 'schedule.days', minutes: 24 * 60 },
  { code: 'schedule.hoursLong', minutes: 60 },
  { code: 'schedule.minutesLong', minutes: 1 },
] as const

function lengthOf(durationMinutes: number | null): Message {
  if (durationMinutes === null) return message('schedule.untilFinished')
  let left = durationMinutes
  const parts = units.flatMap(({ code, minutes }) => {
    const count = Math.floor(left / minutes)
    left -= count * minutes
    return count === 0 ? [] : [message(code, { count })]
  })
  return message('schedule.for', { length: series(parts) })
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** Names a day of the week; 0 is Sunday. */
function weekdayOf(day: number): Message {
  return message(`weekday.${weekdays[day] ?? 'Sun'}`)
}

/** Names a month; 1 is January. */
function monthOf(month: number): Message {
  return message(`month.${month as 1}`)
}
