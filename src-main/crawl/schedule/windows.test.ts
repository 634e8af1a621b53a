import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Schedule, ScheduleRecord } from '../../contract/services/schedule.ts'
import { windowStarts } from './windowStarts.ts'
import { slowWindowStarts, recordOf } from './testing/slowSearch.ts'
import { assess, checkTimeMatch, nextRuns, openNow, type Window } from './windows.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const numRuns = Number(process.env.LOUPE_PROPERTY_RUNS ?? 150)

const at = (iso: string) => Date.parse(iso)
const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 16)

/** The first beginnings from a moment on, without seconds. */
function check(given: Partial<ScheduleRecord>, from: string, expected: string[]): void {
  const record = recordOf(given)
  const found = nextRuns([record], at(from), expected.length || 1).map(({ beginMs }) => isoOf(beginMs))
  expect(found, JSON.stringify(given)).toEqual(expected)
}

describe('fields of a record', () => {
  test('an empty field means its least value before the first given field, and any value after it', () => {
    const from = '2026-11-21T10:10:30Z'
    check({ hours: [2] }, from, ['2026-11-22T02:00', '2026-11-23T02:00'])
    check({ minutes: [30] }, from, ['2026-11-21T10:30', '2026-11-21T11:30'])
    check({}, from, ['2027-01-01T00:00', '2028-01-01T00:00'])
    check({ years: [2030, 2028] }, from, ['2028-01-01T00:00', '2030-01-01T00:00'])
    check({ months: [3] }, from, ['2027-03-01T00:00', '2028-03-01T00:00'])
    check({ daysOfMonth: [15] }, from, ['2026-12-15T00:00', '2027-01-15T00:00'])
    check({ daysOfWeek: [1] }, from, ['2026-11-23T00:00', '2026-11-30T00:00'])
    check({ minutes: 'any' }, from, ['2026-11-21T10:11', '2026-11-21T10:12'])
    check({ hours: 'any' }, from, ['2026-11-21T11:00', '2026-11-21T12:00'])
    check({ daysOfMonth: 'any' }, from, ['2026-11-22T00:00', '2026-11-23T00:00'])
  })

  test('day of the week and day of the month must both match', () => {
    check({ daysOfWeek: [5], daysOfMonth: [13], hours: [9] }, '2026-03-14T00:00Z', [
      '2026-11-13T09:00',
      '2027-08-13T09:00',
    ])
  })

  test('a date that does not exist has no window, and a rare one is found', () => {
    check({ daysOfMonth: [30], months: [2] }, '2026-01-01T00:00Z', [])
    check({ daysOfMonth: [29], months: [2], daysOfWeek: [1] }, '2072-03-01T00:00Z', ['2112-02-29T00:00'])
    check({ years: [2020] }, '2026-01-01T00:00Z', [])
  })
})

describe('daylight saving time', () => {
  const berlin = { timeZone: 'Europe/Berlin' }

  test('a skipped hour begins once, at the end of the gap', () => {
    // 2027-03-28: at 02:00 the clock shows 03:00.
    check({ ...berlin, hours: [2], minutes: [30] }, '2027-03-27T00:00Z', [
      '2027-03-27T01:30',
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ])
    check({ ...berlin, hours: [2, 3] }, '2027-03-27T12:00Z', ['2027-03-28T01:00', '2027-03-29T00:00'])
    check({ ...berlin, hours: [2], minutes: [0, 20, 40] }, '2027-03-28T00:00Z', [
      '2027-03-28T01:00',
      '2027-03-29T00:00',
    ])
  })

  test('a repeated hour begins at its first occurrence', () => {
    // 2027-10-31: at 03:00 the clock shows 02:00.
    check({ ...berlin, hours: [2], minutes: [30] }, '2027-10-30T12:00Z', ['2027-10-31T00:30', '2027-11-01T01:30'])
    check({ ...berlin, hours: [3] }, '2027-10-30T12:00Z', ['2027-10-31T02:00', '2027-11-01T02:00'])
  })

  test('with any hour, all hours that pass count', () => {
    check({ ...berlin, minutes: [30] }, '2027-03-28T00:00Z', ['2027-03-28T00:30', '2027-03-28T01:30'])
    check({ ...berlin, minutes: [30] }, '2027-10-31T00:00Z', [
      '2027-10-31T00:30',
      '2027-10-31T01:30',
      '2027-10-31T02:30',
    ])
  })

  test('a skipped midnight, a repeated half hour, a skipped day', () => {
    // Cairo 2027-04-30: at 00:00 the clock shows 01:00.
    check({ timeZone: 'Africa/Cairo', hours: [0] }, '2027-04-29T00:00Z', ['2027-04-29T22:00', '2027-04-30T21:00'])
    // Lord Howe 2027-04-04: at 02:00 the clock shows 01:30.
    check({ timeZone: 'Australia/Lord_Howe', minutes: [30] }, '2027-04-03T14:00Z', [
      '2027-04-03T14:30',
      '2027-04-03T15:00',
      '2027-04-03T16:00',
    ])
    // Samoa had no 2011-12-30.
    check({ timeZone: 'Pacific/Apia', hours: [2], daysOfMonth: [30] }, '2011-12-01T00:00Z', ['2011-12-30T10:00'])
  })
})

const zones = [
  null,
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Beirut',
  'America/Nuuk',
  'America/Havana',
  'Pacific/Chatham',
]
/** Days with clock changes in these zones, and one without. */
const moments = [
  '2027-03-28',
  '2027-10-31',
  '2027-03-14',
  '2027-11-07',
  '2027-04-04',
  '2027-10-03',
  '2027-04-30',
  '2027-10-29',
  '2027-09-05',
  '2027-07-01',
  '2027-12-31',
  '2028-02-28',
]

function some(least: number, most: number, lengthMax: number) {
  const list = fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: lengthMax })
  return fc.oneof(fc.constant(null), fc.constant(null), fc.constant('any' as const), list)
}
const anyRecord = fc
  .record({
    minutes: some(0, 59, 3),
    hours: some(0, 23, 4),
    daysOfMonth: some(1, 31, 20),
    daysOfWeek: some(0, 6, 5),
    months: fc.oneof(fc.constant(null), fc.constant('any' as const), fc.constant<number[]>([1, 3, 4, 9, 10, 11])),
    years: fc.oneof(
      fc.constant(null),
      fc.constant(null),
      fc.constant<number[]>([2027]),
      fc.constant<number[]>([2026, 2028]),
    ),
    timeZone: fc.constantFrom(...zones),
    durationMinutes: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 4000 })),
    minimal: fc.boolean(),
  })
  .map((given) => recordOf(given))
const anyMoment = fc
  .tuple(fc.constantFrom(...moments), fc.integer({ min: -30 * hourMs, max: 30 * hourMs }))
  .map(([date, ms]) => at(`${date}T00:00Z`) + ms)

describe('against the slow reference', () => {
  test('starts within two days, minute by minute', () => {
    fc.assert(
      fc.property(anyRecord, anyMoment, (record, fromMs) => {
        const from = Math.ceil(fromMs / minuteMs)
        const toMs = fromMs + 2 * dayMs
        const found: number[] = []
        for (const begin of windowStarts(record, from)) {
          if (begin * minuteMs >= toMs) break
          found.push(begin * minuteMs)
        }
        expect(found.map(isoOf)).toEqual(slowWindowStarts(record, from * minuteMs, toMs).map(isoOf))
      }),
      { numRuns },
    )
  })

  test('checkTimeMatch: the first open window that began since the last check', () => {
    fc.assert(
      fc.property(anyRecord, anyMoment, fc.integer({ min: 0, max: 2 * dayMs }), (record, startMs, aheadMs) => {
        const nowMs = startMs + aheadMs
        const durationMs = record.durationMinutes === null ? Infinity : record.durationMinutes * minuteMs
        const firstMs = Math.ceil(startMs / minuteMs) * minuteMs
        const expected = slowWindowStarts(record, firstMs, nowMs).find((beginMs) => beginMs + durationMs > nowMs)
        const found = checkTimeMatch(record, startMs, nowMs)
        expect(found?.beginMs).toBe(expected)
        if (found) expect(found.endMs ?? Infinity).toBe(found.beginMs + durationMs)
      }),
      { numRuns },
    )
  })
})

describe('assessment', () => {
  const nightly = recordOf({ hours: [2], durationMinutes: 180 })
  const schedule = (given: Partial<Schedule>): Schedule => ({
    startMethod: 'WINDOWBEGIN',
    records: [nightly],
    ...given,
  })
  const night = at('2026-11-22T02:00Z')

  function match(expected: Partial<Window> | undefined, given: Partial<Schedule>, lastMs: number, nowMs: number) {
    const found = assess(schedule(given), lastMs, nowMs)
    if (expected) expect(found).toMatchObject(expected)
    else expect(found).toBeUndefined()
  }

  test('a window starts one run; a late check inside it still starts it', () => {
    match(undefined, {}, night - hourMs, night)
    match({ beginMs: night, endMs: night + 3 * hourMs }, {}, night - hourMs, night + 1)
    match({ beginMs: night }, {}, night - 10 * dayMs, night + 3 * hourMs - 1)
    match(undefined, {}, night - 10 * dayMs, night + 3 * hourMs)
    match(undefined, {}, night + 1, night + hourMs)
  })

  test('within a window a run may start at any time, also after another one', () => {
    const startMethod = 'WINDOWINSIDE'
    match({ beginMs: night, endMs: night + 3 * hourMs }, { startMethod }, night + hourMs, night + 2 * hourMs)
    match(undefined, { startMethod }, night - hourMs, night - 1)
    match(undefined, { startMethod }, night + 2 * hourMs, night + 3 * hourMs)
    // A window without a duration has no inside.
    const records = [recordOf({ hours: [2] })]
    match(undefined, { startMethod, records }, night + 1, night + hourMs)
    match({ beginMs: night, endMs: null }, { startMethod, records }, night - 1, night + hourMs)
  })

  test('the latest end wins, with its type of run; no end is latest of all', () => {
    const long = recordOf({ hours: [1], durationMinutes: 600, minimal: true })
    const endless = recordOf({ hours: [3], minimal: true })
    match({ endMs: at('2026-11-22T11:00Z'), minimal: true }, { records: [nightly, long] }, night - dayMs, night + 1)
    match({ endMs: null, minimal: true }, { records: [nightly, endless, long] }, night, night + 2 * hourMs)
  })

  test('nothing starts while switched off', () => {
    match(undefined, { startMethod: 'DISABLE' }, night - hourMs, night + 1)
  })

  test('an open window does not depend on the runs that it started', () => {
    expect(openNow(schedule({}), night + hourMs)).toMatchObject({ beginMs: night })
    expect(openNow(schedule({}), night - 1)).toBeUndefined()
    expect(openNow(schedule({}), night + 3 * hourMs)).toBeUndefined()
  })
})

describe('next runs', () => {
  test('of all records, in order, each time once', () => {
    const records = [
      recordOf({ hours: [2, 14], durationMinutes: 60 }),
      recordOf({ daysOfWeek: [1], hours: [2], durationMinutes: 120, minimal: true }),
    ]
    const runs = nextRuns(records, at('2026-11-22T10:00Z'), 3)
    expect(runs.map(({ beginMs }) => isoOf(beginMs))).toEqual([
      '2026-11-22T14:00',
      '2026-11-23T02:00',
      '2026-11-23T14:00',
    ])
    expect(runs.map(({ minimal }) => minimal)).toEqual([false, true, false])
    expect(nextRuns(records, at('2026-11-22T10:00Z'), 0)).toEqual([])
  })
})
