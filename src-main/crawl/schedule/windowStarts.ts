/** Computes the instants at which the windows of a record begin, in order, without examining every minute.
 *
 *  If the record names hours, each of them begins once a day even when the clock changes: a skipped time begins at the end of
 *  the gap, a time shown twice begins the first time. If any hour matches, real hours count: a doubled hour has twice as many
 *  beginnings, a skipped one none. This is the behaviour of cron, which users expect. */
import type { ScheduleRecord } from '../../contract/services/schedule.ts'
import { dateOf, fieldsOf, has, isOnDate, nextDate, wallOf, type Fields } from './fields.ts'
import { zoneOf, type Minute, type Zone } from './zone.ts'

const hourMinutes = 60
const dayMinutes = 24 * hourMinutes

/** Yields every beginning from `from` on. */
export function windowStarts(record: ScheduleRecord, from: Minute): Generator<Minute, void> {
  const fields = fieldsOf(record)
  const zone = zoneOf(record.timeZone)
  return fields.hours === 'any' ? throughHours(fields, zone, from) : throughDays(fields, fields.hours, zone, from)
}

function* throughDays(fields: Fields, hours: readonly number[], zone: Zone, from: Minute): Generator<Minute, void> {
  const minutes = fields.minutes === 'any' ? everyMinute : fields.minutes
  let last = -Infinity
  // Starts at the day before: times that a gap skipped at the end of a day begin on the next.
  let date = nextDate(fields, zone.wallAt(from) - dayMinutes)
  while (date !== undefined) {
    for (const hour of hours) {
      for (const minute of minutes) {
        const begin = zone.firstAt(date + hour * hourMinutes + minute)
        // A time skipped by a gap begins together with the time at the end of the gap.
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

/** Returns the next instant whose minute is among those of the record, or the next minute if the clock changes before. */
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
