import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Limits, PastResult, SplitConfiguration } from '../model/configurations.ts'
import { defaultGenerationSettings as settings } from '../model/generationSettings.ts'
import { stopReasons } from '../model/stopReasons.ts'
import { estimate } from './estimate.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 300)

/** Results as `[objects, bytes, complete?]`, the newest first. */
type Past = [objects: number, bytes: number, isComplete?: boolean]
const history = (past: readonly Past[]): PastResult[] =>
  past.map(([objects, bytes, isComplete], at) => ({
    ...{ atMs: 1_000 - at, objects, bytes, stopReason: isComplete ? 'DOWNLOAD_COMPLETE' : 'SIZE_LIMIT' },
  }))
const configuration = (past: readonly Past[], limits: Partial<Limits> = {}): SplitConfiguration => ({
  ...{ id: 1, domain: 'a.test', name: 'default', template: 'default', attributes: '', seedsCount: 1 },
  ...{ objectsMax: null, bytesMax: null, ...limits, history: history(past) },
})
const limits = (objectsMax: number | null, bytesMax: number | null = null): Limits => ({ objectsMax, bytesMax })
const none = limits(null)

/** Each expectation is computed by hand from NetarchiveSuite's formula; the title names the step that it shows. */
test.each<[title: string, past: Past[], own: Limits, harvest: Limits, expected: number]>([
  ['never harvested, no limits: the usual size', [], none, none, 5_000],
  ['never harvested: the object limit of the configuration', [], limits(300), none, 300],
  ['never harvested: a larger object limit does not raise the usual size', [], limits(9_000), none, 5_000],
  [
    'never harvested: capped by the bytes of the configuration, 38,000,000 / 38,000',
    [],
    limits(null, 38_000_000),
    none,
    1_000,
  ],
  ['never harvested: capped by the object limit of the harvest', [], none, limits(700), 700],
  [
    'complete before: a tenth of the way to the maximum, 1,000 + (5,000 - 1,000) / 10',
    [[1_000, 1e7, true]],
    none,
    none,
    1_400,
  ],
  ['not complete: half of the way, 1,000 + (5,000 - 1,000) / 2', [[1_000, 1e7]], none, none, 3_000],
  [
    'the harvest rules before the configuration: 1,000 + (2,000 - 1,000) / 10',
    [[1_000, 1e7, true]],
    limits(9_000),
    limits(2_000),
    1_100,
  ],
  [
    'bytes per object of a large sample: 10,000, so 20,000,000 bytes are 2,000 objects: 1,000 + 1,000 / 10',
    [[1_000, 1e7, true]],
    none,
    limits(null, 2e7),
    1_100,
  ],
  [
    'a sample below 50 objects counts with 38,000 bytes at least: 3,800,000 bytes are 100 objects: 40 + 60 / 10',
    [[40, 4_000, true]],
    none,
    limits(null, 3_800_000),
    46,
  ],
  [
    'a small sample of larger objects keeps them: 100,000 bytes each, so 20 objects: 10 + 10 / 10',
    [[10, 1e6, true]],
    none,
    limits(null, 2e6),
    11,
  ],
  [
    '50 objects are a sample: 80 bytes each, so 8,000 bytes are 100 objects: 50 + 50 / 10',
    [[50, 4_000, true]],
    none,
    limits(null, 8_000),
    55,
  ],
  [
    'fewer than one byte per object counts as one: 100 + (900 - 100) / 10',
    [[100, 50, true]],
    none,
    limits(null, 900),
    180,
  ],
  [
    'a maximum below the best result: 1,000 + (500 - 1,000) / 10 is capped at 500',
    [[1_000, 1e7, true]],
    none,
    limits(500),
    500,
  ],
  [
    'the limit of the configuration below that of the harvest caps: 1,000 + (2,000 - 1,000) / 2, at most 1,200',
    [[1_000, 1e7]],
    limits(1_200),
    limits(2_000),
    1_200,
  ],
  [
    'newer results count until the first complete one: 3,000 of the middle, not complete: 3,000 + 2,000 / 2',
    [
      [10, 100],
      [3_000, 3e7],
      [1_000, 1e7, true],
      [4_900, 5e7, true],
    ],
    none,
    none,
    4_000,
  ],
  [
    'the complete result itself counts if it is the largest: 2,000 + 3,000 / 10',
    [
      [10, 100],
      [2_000, 2e7, true],
    ],
    none,
    none,
    2_300,
  ],
  [
    'of equal results the older counts, here the complete one: 500 + 4,500 / 10',
    [
      [500, 5e6],
      [500, 5e6, true],
    ],
    none,
    none,
    950,
  ],
  ['integer division: 1,001 + (5,000 - 1,001) / 10', [[1_001, 1e7, true]], none, none, 1_400],
  ['an empty result has no bytes per object: 38,000; 0 + (100 - 0) / 2', [[0, 0]], none, limits(null, 3_800_000), 50],
  ['a limit of 0 permits nothing', [[1_000, 1e7, true]], none, limits(0), 0],
])('%s', (_, past, own, harvest, expected) => {
  expect(estimate(configuration(past, own), harvest, settings).expected).toBe(expected)
})

const anyLimit = fc.option(fc.integer({ min: 0, max: 1e10 }))
const anyLimits = fc.record({ objectsMax: anyLimit, bytesMax: anyLimit })
const anyPast = fc.array(
  fc.record({
    atMs: fc.nat(),
    objects: fc.integer({ min: 0, max: 1e7 }),
    bytes: fc.integer({ min: 0, max: 1e12 }),
    stopReason: fc.constantFrom(...stopReasons),
  }),
  { maxLength: 6 },
)

test('an expectation is a whole number from 0 to what the limits permit', () => {
  fc.assert(
    fc.property(anyLimits, anyLimits, anyPast, (own, harvest, past) => {
      const { expected, maximum, bytesPerObject } = estimate(
        { ...configuration([], own), history: past },
        harvest,
        settings,
      )
      expect(Number.isInteger(expected)).toBe(true)
      expect(expected).toBeGreaterThanOrEqual(0)
      expect(expected).toBeLessThanOrEqual(maximum)
      const caps = [own, harvest].flatMap(({ objectsMax, bytesMax }) => [
        objectsMax,
        bytesMax && bytesMax / bytesPerObject,
      ])
      for (const cap of caps) if (cap !== null) expect(expected).toBeLessThanOrEqual(cap)
    }),
    { numRuns },
  )
})
