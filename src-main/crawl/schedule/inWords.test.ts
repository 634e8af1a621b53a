import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import type { ScheduleRecord } from '../../contract/services/schedule.ts'
import { inWords } from './inWords.ts'
import { recordOf } from './testing/slowSearch.ts'

function check(given: Partial<ScheduleRecord>, expected: string): void {
  expect(textOf(inWords(recordOf(given)))).toBe(expected)
}

test('a record becomes a sentence', () => {
  const timeZone = 'Europe/Berlin'
  check(
    { daysOfWeek: [1], hours: [2], durationMinutes: 180, timeZone },
    'every Monday at 02:00 for 3 hours, Europe/Berlin',
  )
  check({ hours: [2], durationMinutes: 60 }, 'every day at 02:00 for 1 hour, UTC')
  check({ hours: [2, 14], minutes: [0, 30] }, 'every day at 02:00, 02:30, 14:00 and 14:30 until it is finished, UTC')
  check({ minutes: [30], durationMinutes: 10 }, 'every hour at minute 30 for 10 minutes, UTC')
  check(
    { minutes: [0, 30], daysOfWeek: [0, 6], durationMinutes: 10 },
    'every hour at minutes 0 and 30, every Saturday and Sunday for 10 minutes, UTC',
  )
  check({ minutes: [0], durationMinutes: 10 }, 'every hour for 10 minutes, UTC')
  check({ minutes: 'any', durationMinutes: 1 }, 'every minute for 1 minute, UTC')
  check({ minutes: 'any', hours: [2, 3] }, 'every day at every minute of the hours 2 and 3 until it is finished, UTC')
  check(
    { minutes: [0, 15, 30, 45], hours: [1, 2] },
    'every day at minutes 0, 15, 30 and 45 of the hours 1 and 2 until it is finished, UTC',
  )
  check(
    { daysOfWeek: [5, 4, 3, 2, 1], hours: [20] },
    'every day from Monday to Friday at 20:00 until it is finished, UTC',
  )
  check(
    { daysOfMonth: [1, 2, 3, 11, 22], hours: [6] },
    'on the 1st, 2nd, 3rd, 11th and 22nd of every month at 06:00 until it is finished, UTC',
  )
  check(
    { daysOfMonth: [13], daysOfWeek: [5, 0] },
    'on the 13th of every month where that is a Friday or a Sunday at 00:00 until it is finished, UTC',
  )
  check({ months: [1, 7] }, 'on the 1st of January and July at 00:00 until it is finished, UTC')
  check(
    { daysOfMonth: 'any', months: [12], years: [2027] },
    'every day in December in 2027 at 00:00 until it is finished, UTC',
  )
  check({ years: [2027] }, 'on the 1st of January in 2027 at 00:00 until it is finished, UTC')
  check(
    { hours: [2], durationMinutes: 1530, minimal: true },
    'every day at 02:00 for 1 day, 1 hour and 30 minutes, UTC, only what is new',
  )
  check({}, 'on the 1st of January at 00:00 until it is finished, UTC')
})
