import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextCheck, type CheckBounds, type CheckHistory, type CheckSettings, type NextCheck } from './checkTime.ts'

/** The nightly run sets a higher number. */
const propertyRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

const hour = 3600
const hourMs = hour * 1000
const nowMs = Date.UTC(2026, 0, 10)
const never: CheckHistory = { firstMs: null, lastMs: null, changeCount: 0, originMs: null }
const settings: CheckSettings = { intervalSeconds: hour, intervalSecondsMax: null, expirySeconds: null }

type Row = [string, Partial<CheckHistory>, Partial<CheckSettings>, CheckBounds, NextCheck]
/** The expected check, in hours from now. */
const rescan = (hours: number): NextCheck => ({ checkMs: nowMs + hours * hourMs, action: 'rescan' })
const remove = (hours: number): NextCheck => ({ checkMs: nowMs + hours * hourMs, action: 'remove' })
const unchanged = { firstMs: nowMs - 10 * hourMs, lastMs: nowMs, changeCount: 1 }

const rows: Row[] = [
  ['never captured: the interval', {}, {}, {}, rescan(1)],
  ['unchanged for ten hours: these are added', unchanged, {}, {}, rescan(11)],
  ['five changes in ten hours: two hours are added', { ...unchanged, changeCount: 5 }, {}, {}, rescan(3)],
  ['no longer than the longest interval', unchanged, { intervalSecondsMax: 4 * hour }, {}, rescan(4)],
  ['a clock that was set back adds nothing', { ...unchanged, lastMs: nowMs - 11 * hourMs }, {}, {}, rescan(1)],
  ['no interval: never', unchanged, { intervalSeconds: null }, {}, { checkMs: null, action: 'rescan' }],
  [
    'an upper bound gives a time even without an interval',
    {},
    { intervalSeconds: null },
    { rescanMsMax: nowMs + 7 * hourMs },
    rescan(7),
  ],
  [
    'a lower bound gives no time without an interval',
    {},
    { intervalSeconds: null },
    { rescanMsMin: nowMs },
    { checkMs: null, action: 'rescan' },
  ],
  ['a lower bound postpones the check', {}, {}, { rescanMsMin: nowMs + 5 * hourMs }, rescan(5)],
  [
    'expiry counts from the origin',
    { originMs: nowMs - 9 * hourMs },
    { intervalSeconds: null, expirySeconds: 10 * hour },
    {},
    remove(1),
  ],
  [
    'expiry counts from now if the origin is unknown',
    {},
    { intervalSeconds: null, expirySeconds: 10 * hour },
    {},
    remove(10),
  ],
  ['the earlier of check and expiry decides', {}, { expirySeconds: hour / 2 }, {}, remove(0.5)],
  ['at the same time the check takes precedence', {}, { expirySeconds: hour }, {}, rescan(1)],
  ['an upper bound for the removal', {}, {}, { removeMsMax: nowMs + hourMs / 4 }, remove(0.25)],
]

describe('the next check of a document', () => {
  test.each(rows)('%s', (_, previous, set, bounds, expected) => {
    expect(nextCheck(nowMs, { ...never, ...previous }, { ...settings, ...set }, bounds)).toEqual(expected)
  })

  test('is between the interval and the longest interval for any history', () => {
    const ms = fc.integer({ min: 0, max: 4e12 })
    const previous = fc.record({
      firstMs: fc.option(ms),
      lastMs: fc.option(ms),
      changeCount: fc.nat(1_000),
      originMs: fc.constant(null),
    })
    const intervals = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6))
    fc.assert(
      fc.property(ms, previous, intervals, (now, before, [intervalSeconds, more]) => {
        const intervalSecondsMax = intervalSeconds + more
        const { checkMs, action } = nextCheck(now, before, { intervalSeconds, intervalSecondsMax, expirySeconds: null })
        expect(action).toBe('rescan')
        expect(checkMs).toBeGreaterThanOrEqual(now + intervalSeconds * 1000)
        expect(checkMs).toBeLessThanOrEqual(now + intervalSecondsMax * 1000)
      }),
      { numRuns: propertyRuns },
    )
  })

  test('is later after each check that finds no change', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1e7 }), { minLength: 2, maxLength: 20 }), (gapsMs) => {
        let lastMs = nowMs
        let waitMs = 0
        for (const gapMs of gapsMs) {
          lastMs += gapMs
          const { checkMs } = nextCheck(lastMs, { ...never, firstMs: nowMs, lastMs, changeCount: 1 }, settings)
          expect((checkMs ?? 0) - lastMs).toBeGreaterThan(waitMs)
          waitMs = (checkMs ?? 0) - lastMs
        }
      }),
      { numRuns: propertyRuns },
    )
  })
})
