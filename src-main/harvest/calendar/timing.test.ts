import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { harvestTiming, timingUnits, type HarvestTiming } from '../../contract/services/harvestSchedules.ts'
import { firstRunMs, latestPlanMs, nextRun, plannedRuns } from './timing.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 150)
const minuteMs = 60_000

type Given = Partial<z.input<typeof harvestTiming>>
const timing = (given: Given) => harvestTiming.parse(given)
const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 16))
const runsFrom = (given: Given, from: string, count = 4) =>
  plannedRuns(timing(given), Date.parse(from), count).map(isoOf)

describe('planned runs', () => {
  test.each<[title: string, given: Given, from: string, runs: string[]]>([
    ['every hour, at any time', { unit: 'hour' }, '2026-11-26T10:07Z', ['2026-11-26T10:07', '2026-11-26T11:07']],
    [
      'every hour at 30',
      { unit: 'hour', at: { minute: 30 } },
      '2026-11-26T10:31Z',
      ['2026-11-26T11:30', '2026-11-26T12:30'],
    ],
    [
      'every 2 days at 02:15',
      { unit: 'day', every: 2, at: { hour: 2, minute: 15 } },
      '2026-11-26T02:15Z',
      ['2026-11-26T02:15', '2026-11-28T02:15'],
    ],
    [
      'Mondays at 04:00',
      { unit: 'week', at: { dayOfWeek: 1, hour: 4, minute: 0 } },
      '2026-11-26T00:00Z',
      ['2026-11-30T04:00', '2026-12-07T04:00'],
    ],
    [
      'Saturdays, from a Saturday after the time',
      { unit: 'week', at: { dayOfWeek: 6, hour: 4, minute: 0 } },
      '2026-11-28T05:00Z',
      ['2026-12-05T04:00', '2026-12-12T04:00'],
    ],
    [
      'the 31st, or the last day',
      { unit: 'month', at: { dayOfMonth: 31, hour: 1, minute: 0 } },
      '2027-01-15T00:00Z',
      ['2027-01-31T01:00', '2027-02-28T01:00', '2027-03-31T01:00', '2027-04-30T01:00'],
    ],
    [
      'every 3 months at any time',
      { unit: 'month', every: 3 },
      '2026-11-26T10:07Z',
      ['2026-11-26T10:07', '2027-02-26T10:07', '2027-05-26T10:07'],
    ],
    [
      'every 10 minutes',
      { unit: 'minute', every: 10 },
      '2026-11-26T23:55:20Z',
      ['2026-11-26T23:56', '2026-11-27T00:06'],
    ],
    [
      'not before its start',
      { unit: 'day', start: '2026-12-01T06:00:00Z' },
      '2026-11-26T10:00Z',
      ['2026-12-01T06:00', '2026-12-02T06:00'],
    ],
  ])('%s', (_, given, from, runs) => {
    expect(runsFrom(given, from, runs.length)).toEqual(runs)
  })

  test('end at the end, exclusively, and after the number of runs', () => {
    const daily: Given = { unit: 'day', at: { hour: 6, minute: 0 } }
    expect(runsFrom({ ...daily, end: '2026-11-28T06:00:00Z' }, '2026-11-26T00:00Z')).toEqual([
      '2026-11-26T06:00',
      '2026-11-27T06:00',
    ])
    expect(runsFrom({ ...daily, runs: 3 }, '2026-11-26T00:00Z', 9)).toHaveLength(3)
    expect(runsFrom({ ...daily, end: '2026-11-25T00:00:00Z' }, '2026-11-26T00:00Z')).toEqual([])
  })

  test('a skipped time is the next that the clock shows, and the rhythm stays', () => {
    const daily: Given = { unit: 'day', at: { hour: 2, minute: 30 }, timeZone: 'Europe/Berlin' }
    // 2027-03-28: at 02:00 the clock shows 03:00.
    expect(runsFrom(daily, '2027-03-27T00:00Z', 3)).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ])
    // 2026-10-25: 02:30 is shown twice; the first counts.
    expect(runsFrom(daily, '2026-10-24T00:00Z', 3)).toEqual([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })
})

test('a run after a long pause is in the future and keeps the rhythm; what is left out is counted', () => {
  const nowMs = Date.parse('2026-11-26T10:07:30Z')
  const hourly = timing({ unit: 'hour', at: { minute: 30 } })
  expect(nextRun(hourly, { lastMs: Date.parse('2026-11-26T06:30Z'), nowMs, runs: 7 })).toEqual({
    ms: Date.parse('2026-11-26T10:30Z'),
    skipped: 3,
  })
  const monthly = timing({ unit: 'month', at: { dayOfMonth: 30, hour: 0, minute: 0 } })
  expect(nextRun(monthly, { lastMs: Date.parse('2026-01-30T00:00Z'), nowMs, runs: 7 })).toEqual({
    ms: Date.parse('2026-11-30T00:00Z'),
    skipped: 9,
  })
})

const anyTiming = fc
  .record({
    unit: fc.constantFrom(...timingUnits),
    every: fc.integer({ min: 1, max: 40 }),
    isExact: fc.boolean(),
    minute: fc.integer({ min: 0, max: 59 }),
    hour: fc.integer({ min: 0, max: 23 }),
    dayOfWeek: fc.integer({ min: 0, max: 6 }),
    dayOfMonth: fc.integer({ min: 1, max: 31 }),
    timeZone: fc.constantFrom(null, 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
  })
  .map(({ unit, every, isExact, timeZone, minute, hour, dayOfWeek, dayOfMonth }): HarvestTiming => {
    const parts = {
      ...{ minute: null, hour: { minute }, day: { hour, minute } },
      ...{ week: { dayOfWeek, hour, minute }, month: { dayOfMonth, hour, minute } },
    }
    return timing({ unit, every, timeZone, at: isExact ? parts[unit] : null })
  })
const anyMs = fc.integer({ min: Date.parse('2020-01-01Z'), max: Date.parse('2035-01-01Z') })

test('leaping over past runs gives the same run as one step after the other', () => {
  fc.assert(
    fc.property(anyTiming, anyMs, fc.integer({ min: 0, max: 60 }), (given, fromMs, steps) => {
      // Without an exact time, a day that is shorter or a month without the day moves all that follow.
      const isMoved = given.at === null && (given.unit === 'month' || given.timeZone !== null)
      fc.pre(!isMoved || given.unit === 'minute' || given.unit === 'hour')
      const planned = plannedRuns(given, fromMs, steps + 2)
      const [first = NaN] = planned
      const [now = NaN, following = NaN] = planned.slice(-2)
      expect(nextRun(given, { lastMs: first, nowMs: now, runs: 1 })).toEqual({ ms: following, skipped: steps })
      for (let at = 1; at < planned.length; at += 1) expect(planned[at]).toBeGreaterThan(planned[at - 1] ?? NaN)
    }),
    { numRuns },
  )
})

test('the first run is not before its start, and within one unit of it', () => {
  fc.assert(
    fc.property(anyTiming, anyMs, (given, fromMs) => {
      const first = firstRunMs(given, fromMs) ?? NaN
      expect(first).toBeGreaterThanOrEqual(fromMs)
      expect(first - fromMs).toBeLessThan(32 * 24 * 60 * minuteMs)
    }),
    { numRuns },
  )
})

test.each<[Given, string]>([
  [{ unit: 'day', at: { minute: 3 } }, 'at'],
  [{ unit: 'hour', at: { minute: 3, hour: 2 } }, 'at'],
  [{ unit: 'minute', at: { minute: 3 } }, 'at'],
  [{ unit: 'day', runs: 3, end: '2027-01-01T00:00:00Z' }, 'runs'],
  [{ unit: 'day', timeZone: 'Europe/Atlantis' }, 'timeZone'],
])('refuses %j because of %s', (given, field) => {
  const { error } = harvestTiming.safeParse(given)
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test('no run is planned later than the latest plan, as seen from when it is planned', () => {
  fc.assert(
    fc.property(anyTiming, anyMs, fc.integer({ min: 0, max: 400 * 24 * 60 }), (given, lastMs, laterMinutes) => {
      const nowMs = lastMs + laterMinutes * minuteMs
      const latest = latestPlanMs(given, nowMs) ?? NaN
      // A clock that is put forward or back moves a run by an hour at most.
      expect(firstRunMs(given, nowMs) ?? NaN).toBeLessThanOrEqual(latest)
      expect(nextRun(given, { lastMs, nowMs, runs: 1 }).ms ?? NaN).toBeLessThanOrEqual(latest + 60 * minuteMs)
    }),
    { numRuns },
  )
})
