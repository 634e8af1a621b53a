/** A timing in words. */
import type { HarvestTiming, TimeInUnit } from '../../contract/services/harvestSchedules.ts'
import { message, type Message } from '../../contract/words/message.ts'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** Says when a schedule runs, as in "every 2 weeks on Monday at 04:00 (Europe/Berlin), until 2027-01-01T00:00:00Z". */
export function timingMessage({ unit, every, at, start, end, runs, timeZone }: HarvestTiming): Message {
  const interval = message(`timing.every.${unit}`, { every })
  const exact = at === null ? undefined : atMessage(unit, at)
  const rhythm = exact ? message('timing.exact', { interval, at: exact }) : interval
  const inZone = at === null ? rhythm : message('timing.inZone', { text: rhythm, zone: timeZone ?? 'UTC' })
  const from = start === null ? inZone : message('timing.from', { text: inZone, time: start })
  const until = end === null ? from : message('timing.until', { text: from, time: end })
  return runs === null ? until : message('timing.runs', { text: until, runs })
}

function atMessage(unit: HarvestTiming['unit'], at: TimeInUnit): Message | undefined {
  const { minute = 0, hour = 0, dayOfWeek = 0, dayOfMonth = 1 } = at
  const time = `${digits(hour)}:${digits(minute)}`
  switch (unit) {
    case 'minute':
      return undefined
    case 'hour':
      return message('timing.at.hour', { minute: digits(minute) })
    case 'day':
      return message('timing.at.day', { time })
    case 'week':
      return message('timing.at.week', { weekday: message(`weekday.${weekdays[dayOfWeek] ?? 'Sun'}`), time })
    case 'month':
      return message('timing.at.month', { day: dayOfMonth, time })
  }
}

function digits(value: number): string {
  return String(value).padStart(2, '0')
}
