import fc from 'fast-check'
import { expect, test } from 'vitest'
import { busiestWindow, type TimedActivity } from './busiest.ts'

const runs = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

const lasting = fc
  .record({ startMs: fc.nat(400), lastsMs: fc.integer({ min: 1, max: 300 }), amount: fc.nat(1000) })
  .map(({ startMs, lastsMs, amount }): TimedActivity => ({ startMs, endMs: startMs + lastsMs, amount }))

/** Adds up the part of each activity that is in a window. */
function amountIn(all: readonly TimedActivity[], fromMs: number, toMs: number): number {
  return all.reduce((sum, { startMs, endMs, amount }) => {
    const insideMs = Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs))
    return sum + (amount * insideMs) / (endMs - startMs)
  }, 0)
}

test('no other window has more than the busiest one, and its total is correct', () => {
  fc.assert(
    fc.property(
      fc.array(lasting, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 200 }),
      (all, windowMs) => {
        const found = busiestWindow(all, windowMs)
        if (!found) throw new Error('there is always one')
        expect(found.toMs - found.fromMs).toBe(windowMs)
        expect(amountIn(all, found.fromMs, found.toMs)).toBeCloseTo(found.amount, 6)
        for (let fromMs = -windowMs; fromMs <= 700; fromMs += 1) {
          expect(amountIn(all, fromMs, fromMs + windowMs)).toBeLessThanOrEqual(found.amount + 1e-6)
        }
      },
    ),
    { numRuns: runs },
  )
})

const rows: [what: string, all: TimedActivity[], windowMs: number, busiest: ReturnType<typeof busiestWindow>][] = [
  ['nothing', [], 10, undefined],
  ['one that fits', [{ startMs: 5, endMs: 8, amount: 7 }], 10, { amount: 7, fromMs: -2, toMs: 8 }],
  ['one that is longer', [{ startMs: 0, endMs: 100, amount: 50 }], 10, { amount: 5, fromMs: 0, toMs: 10 }],
  [
    'the second of two heaps',
    [
      { startMs: 0, endMs: 1, amount: 1 },
      { startMs: 1000, endMs: 1001, amount: 1 },
      { startMs: 1005, endMs: 1006, amount: 1 },
    ],
    10,
    { amount: 2, fromMs: 996, toMs: 1006 },
  ],
]
test.each(rows)('%s', (_, all, windowMs, busiest) => expect(busiestWindow(all, windowMs)).toEqual(busiest))
