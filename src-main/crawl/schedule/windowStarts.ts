/** The instants at which the windows of a record begin, in their order, found without looking at every minute.
 *
 *  Where hours are named, each of them begins once a day whatever the clock is put to: one that is left out begins at the end
 *  of the gap, one that is shown twice at the first. Where any hour will do, it goes by the hours that really pass: a doubled
 *  hour has twice as many beginnings, a skipped one none. (So does cron, and so do people expect it.) */
import type { ScheduleRecord } from '../../contract/services/schedule.ts'
import { dateOf, fieldsOf, has, isOnDate, nextDate, wallOf, type Fields } from './fields.ts'
import { zoneOf, type Minute, type Zone } from './zone.ts'

const hourMinutes = 60
const dayMinutes = 24 * hourMinutes

/** Every beginning from `from` on. */
export function windowStarts(record: ScheduleRecord, from: Minute): Generator<Minute, void> {
  const fields = fieldsOf(record)
  const zone = zoneOf(record.timeZone)
  return fields.hours === 'any' ? throughHours(fields, zone, from) : throughDays(fields, fields.hours, zone, from)
}

function* throughDays(fields: Fields, hours: readonly number[], zone: Zone, from: Minute): Generator<Minute, void> {
  const minutes = fields.minutes === 'any' ? everyMinute : fields.minutes
  let last = -Infinity
  // Starts at the day before: times that a gap left out at the end of a day begin on the next.
  let date = nextDate(fields, zone.wallAt(from) - dayMinutes)
  while (date !== undefined) {
    for (const hour of hours) {
      for (const minute of minutes) {
        const begin = zone.firstAt(date + hour * hourMinutes + minute)
        // What a gap left out begins together with what stands at its end.
        if (begin < from || begin <= last) continue
        last = begin
        yield begin
      }
    }
    date = nextDate(fields, date + dayMinutes)
  }
}

function* throughHours(fields: Fields, zone: Zone, from: Minute): Generator<Minute, void> {
  let instant: Minute = from
  for (;;) {
    const wall = zone.wallAt(instant)
    if (!isOnDate(fields, dateOf(wall))) {
      const date = nextDate(fields, wallOf(dateOf(wall)) + dayMinutes)
      if (date === undefined) return
      // A clock that was put back over midnight shows the day before once more.
      instant = Math.max(instant + 1, zone.firstAt(date))
    } else if (has(fields.minutes, minuteOf(wall))) {
      yield instant
      instant += 1
    } else instant = nextMinute(fields, zone, instant, wall)
  }
}

/** The next instant whose minute is among those of the record, unless the clock is changed before. */
function nextMinute(fields: Fields, zone: Zone, instant: Minute, wall: number): Minute {
  const minutes = fields.minutes === 'any' ? everyMinute : fields.minutes
  const minute = minuteOf(wall)
  const later = minutes.find((value) => value > minute) ?? (minutes[0] ?? 0) + hourMinutes
  const ahead = later - minute
  return zone.wallAt(instant + ahead) === wall + ahead ? instant + ahead : instant + 1
}

function minuteOf(wall: number): number {
  return wall % hourMinutes
}

const everyMinute: readonly number[] = Array.from({ length: hourMinutes }, (_, minute) => minute)
