import { describe, expect, test } from 'vitest'
import { scheduleShape } from '../../../src-main/contract/services/schedule.ts'
import {
  draftOf,
  emptyMeans,
  newRecord,
  repeating,
  scheduleFrom,
  type RecordDraft,
  type Repeat,
} from './scheduleDraft.ts'

function check(changes: Partial<RecordDraft>, expected: object): void {
  const found = scheduleFrom({ startMethod: 'WINDOWBEGIN', records: [{ ...newRecord(7, 'UTC'), ...changes }] })
  if ('problem' in found) expect(found.problem).toEqual(expected)
  else expect(found.schedule.records[0]).toMatchObject(expected)
}

describe('input becomes a schedule', () => {
  test('with fields, duration and time zone', () => {
    check({}, { daysOfWeek: [1], hours: [2], minutes: null, years: null, timeZone: null, durationMinutes: 180 })
    check({ timeZone: 'Europe/Berlin', duration: '' }, { timeZone: 'Europe/Berlin', durationMinutes: null })
    check({ daysOfWeek: ['any'], months: ['1', '7'] }, { daysOfWeek: 'any', months: [1, 7] })
    check({ years: ' 2027, 2028,' }, { years: [2027, 2028] })
    check({ duration: 1.5, durationUnit: 'hours' }, { durationMinutes: 90 })
  })

  test.each<[Repeat, object]>([
    ['hourly', { daysOfWeek: null, daysOfMonth: null, months: null, hours: null, minutes: [0] }],
    ['daily', { daysOfWeek: null, daysOfMonth: null, months: null, hours: [2], minutes: null }],
    ['weekly', { daysOfWeek: [1], daysOfMonth: null, months: null, hours: [2], minutes: null }],
    ['monthly', { daysOfWeek: null, daysOfMonth: [1], months: null, hours: [2], minutes: null }],
    ['custom', { daysOfWeek: 'any', months: [7], hours: [2], minutes: [30] }],
  ])('repeating %s sets the times and keeps the rest', (repeat, given) => {
    const typed = {
      ...newRecord(7, 'Europe/Berlin'),
      daysOfWeek: ['any'],
      months: ['7'],
      minutes: ['30'],
      minimal: true,
    }
    const kept = { timeZone: 'Europe/Berlin', durationMinutes: 180, minimal: true }
    check(repeating(typed, repeat), { ...given, ...kept })
  })

  test.each<[Repeat, object]>([
    ['hourly', { minutes: [15] }],
    ['daily', { hours: [2, 14] }],
    ['weekly', { daysOfWeek: [1, 5], hours: [2], minutes: [30] }],
    ['monthly', { daysOfMonth: [1] }],
    ['custom', { daysOfMonth: [1], daysOfWeek: [1] }],
    ['custom', { hours: [2], years: [2027] }],
    ['custom', { hours: [2], months: [7] }],
    ['custom', {}],
  ])('what repeats %s is shown as such: %j', (repeat, record) => {
    const [draft] = draftOf(scheduleShape.parse({ records: [record] }), 'UTC').records
    expect(draft?.repeat).toBe(repeat)
  })

  test('an empty field says what it means', () => {
    const record = repeating({ ...newRecord(0, 'UTC'), daysOfWeek: [], hours: ['2'] }, 'custom')
    expect([emptyMeans(record, 'minutes'), emptyMeans(record, 'daysOfMonth'), emptyMeans(record, 'months')]).toEqual([
      ...['zero', 'every', 'every'],
    ])
    expect(emptyMeans({ ...record, hours: [], daysOfWeek: ['1'] }, 'daysOfMonth')).toBe('every')
    expect(emptyMeans({ ...record, hours: [], months: ['7'] }, 'daysOfMonth')).toBe('first')
  })

  test('a problem is shown at its field', () => {
    check({ years: '27' }, { id: 7, field: 'years' })
    check({ years: 'soon' }, { id: 7, field: 'years' })
    check({ duration: 0 }, { id: 7, field: 'duration' })
    check({ duration: 400, durationUnit: 'days' }, { id: 7, field: 'duration' })
    check({ duration: 0.5, durationUnit: 'minutes' }, { id: 7, field: 'duration' })
    check({ timeZone: 'Mars/Olympus' }, { id: 7, field: 'timeZone' })
  })

  test('a schedule that is opened and saved stays the same', () => {
    const schedule = scheduleShape.parse({
      startMethod: 'WINDOWINSIDE',
      records: [
        { hours: 'any', timeZone: 'Europe/Berlin', durationMinutes: 90, minimal: true },
        { daysOfMonth: [1, 15], years: [2027], durationMinutes: 2880 },
      ],
    })
    expect(scheduleFrom(draftOf(schedule, 'UTC'))).toEqual({ schedule })
  })
})
