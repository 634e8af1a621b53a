import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededChance } from '../../world/testing/seededChance.ts'
import { amountAfter, baseAmountOf } from './refillAmount.ts'
import { binCap, jobCaps, newPace } from './caps.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

describe('the cap of a bin', () => {
  test('never exceeds its rate by more than one, and matches it in the long run', () => {
    const stuffings = 2_000
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.02, noNaN: true }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer(),
        (rate, intervalMs, seed) => {
          const chance = seededChance(seed)
          const caps = Array.from({ length: stuffings }, () => binCap(rate, intervalMs, chance))
          const floor = Math.floor(rate * intervalMs)
          expect(caps.every((cap) => cap === floor || cap === floor + 1)).toBe(true)
          const mean = caps.reduce((sum, cap) => sum + cap, 0) / stuffings
          // Five standard deviations of the lots that are drawn.
          expect(Math.abs(mean - rate * intervalMs)).toBeLessThan((5 * 0.5) / Math.sqrt(stuffings))
        },
      ),
      { numRuns: Math.min(numRuns, 200) },
    )
  })

  test('of a bin without a rate, and of one that is never used', () => {
    const chance = seededChance(1)
    expect(binCap(Infinity, 0, chance)).toBe(Infinity)
    expect(binCap(Infinity, 100, chance)).toBe(Infinity)
    expect(binCap(0, Infinity, chance)).toBe(0)
    expect(binCap(0, 100, chance)).toBe(0)
  })
})

describe('the share of a job', () => {
  const rows: [name: string, jobs: [perMinute: number, workers: number][], shares: number[]][] = [
    ['alone it has everything', [[900, 8]], [105]],
    [
      'equal ones halve it',
      [
        [900, 8],
        [900, 8],
      ],
      [55, 55],
    ],
    [
      'by pace and workers',
      [
        [300, 1],
        [900, 3],
      ],
      [15, 95],
    ],
    [
      'none has shown anything',
      [
        [0, 8],
        [0, 8],
      ],
      [5, 5],
    ],
  ]
  test.each(rows)('%s', (_, jobs, shares) => {
    const caps = jobCaps(
      jobs.map(([perMinute, workers], at) => ({ job: at + 1, perMinute, workers })),
      100,
    )
    expect([...caps.values()]).toEqual(shares)
  })

  test('the pace is a weighted average of the last five intervals, the newest counting most', () => {
    const pace = newPace()
    expect(pace.perMinute).toBeCloseTo(909.09)
    for (let at = 0; at < 5; at += 1) pace.record(10, 1000)
    expect(pace.perMinute).toBeCloseTo(600)
    pace.record(0, 1000)
    expect(pace.perMinute).toBeCloseTo(300)
  })
})

describe('the number of documents of a refill', () => {
  const workers = 100
  const base = baseAmountOf(workers)
  const rows: [name: string, amount: number, refillMs: number, drainMs: number | undefined, next: number][] = [
    ['the workers were faster than the refill', base, 10, 8, base * 2],
    ['just as quick', base, 10, 10, base * 2],
    ['a little slower: it stays', base * 2, 10, 30, base * 2],
    ['far slower', base * 4, 10, 41, base * 2],
    ['never below its base', base, 1, 1000, base],
    ['it was not drained yet', base * 2, 1, undefined, base * 2],
    ['never above what pays', 1_024, 10, 1, 1_024],
  ]
  test.each(rows)('%s', (_, amount, refillMs, drainMs, next) => {
    expect(amountAfter(amount, workers, { asked: amount, taken: amount, refillMs, drainMs })).toBe(next)
  })

  test('a refill that found less than it requested does not change the pace', () => {
    expect(amountAfter(base * 2, workers, { asked: base * 2, taken: 3, refillMs: 100, drainMs: 1 })).toBe(base * 2)
  })
})
