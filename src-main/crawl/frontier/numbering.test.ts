import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberingOf, type BinCounters } from './numbering.ts'
import { depthOf, floorOf, priorityOf, scaleOf } from './priority.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

function memory(): BinCounters & { values: Map<string, number> } {
  const values = new Map<string, number>()
  return { values, get: (bin) => values.get(bin), set: (bin, value) => void values.set(bin, value) }
}

const perSecond = (times: number) => times / 1000

describe('the formula', () => {
  const scales: [fetchesPerMs: number, scale: number][] = [
    [Infinity, 1],
    [perSecond(20), 2],
    [perSecond(1), 21],
    [perSecond(1 / 60), 1201],
    [0, Infinity],
  ]
  test.each(scales)('%d fetches per ms take %d times the room', (rate, scale) =>
    expect(scaleOf(rate)).toBeCloseTo(scale),
  )

  const places: [name: string, places: { number: number; scale: number }[], priority: number][] = [
    ['the first of all', [{ number: 0, scale: 1 }], 0],
    ['without bins', [], 0],
    ['the tenth', [{ number: 9, scale: 1 }], Math.log(10)],
    [
      'the worst of several bins counts',
      [
        { number: 9, scale: 1 },
        { number: 1, scale: 21 },
      ],
      Math.log(22),
    ],
    ['never, even the first', [{ number: 0, scale: Infinity }], Infinity],
  ]
  test.each(places)('%s', (_, given, priority) => expect(priorityOf(given)).toBeCloseTo(priority))

  test('depth and priority convert into each other', () => {
    for (const depth of [0, 1, 1e3, 1e7])
      expect(depthOf(priorityOf([{ number: depth, scale: 1 }]))).toBeCloseTo(depth, 4)
  })
})

describe('numbers', () => {
  test('a new bin starts at the current depth of the queue, whatever its rate', () => {
    const numbering = numberingOf({
      counters: memory(),
      depthMin: 1000,
      limitsOf: (bin) => ({ fetchesPerMs: bin === 'slow' ? perSecond(1) : Infinity }),
    })
    expect(depthOf(numbering.next(['open']))).toBeCloseTo(1000)
    expect(depthOf(numbering.next(['slow']))).toBeCloseTo(1000)
    expect(depthOf(numbering.next(['slow']))).toBeCloseTo(1021)
    expect(depthOf(numbering.front())).toBeCloseTo(1000)
  })

  test('a number is free until it is taken, and persists only when it is saved', () => {
    const counters = memory()
    const open = () => numberingOf({ counters, depthMin: 0, limitsOf: () => ({ fetchesPerMs: Infinity }) })
    const rolledBack = open()
    rolledBack.next(['a'])
    expect(rolledBack.peek(['a'])).toBe(rolledBack.peek(['a']))
    const saved = open()
    expect(saved.next(['a'])).toBe(0)
    saved.save()
    expect(open().peek(['a'])).toBeCloseTo(Math.log(2))
  })

  /** Which bins, in which batches, at which depth and rates. */
  const history = fc.record({
    rates: fc.array(fc.double({ min: 1e-6, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 }),
    batches: fc.array(
      fc.record({
        depthRise: fc.double({ min: 0, max: 500, noNaN: true }),
        bins: fc.array(fc.nat(2), { maxLength: 30 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })

  test('within a bin they increase strictly between resets, across batches and restarts', () => {
    fc.assert(
      fc.property(history, ({ rates, batches }) => {
        const counters = memory()
        const last = new Map<number, number>()
        let depthMin = 0
        for (const { depthRise, bins } of batches) {
          depthMin += depthRise
          const limitsOf = (bin: string) => ({ fetchesPerMs: rates[Number(bin)] ?? Infinity })
          const numbering = numberingOf({ counters, depthMin, limitsOf })
          for (const bin of bins) {
            const priority = numbering.next([String(bin)])
            expect(priority).toBeGreaterThan(last.get(bin) ?? -1)
            expect(priority).toBeGreaterThanOrEqual(Math.log1p(depthMin) - 1e-9)
            last.set(bin, priority)
          }
          numbering.save()
        }
      }),
      { numRuns },
    )
  })

  test('of the first documents of two bins each has its share by its rate, within one', () => {
    const rate = fc.double({ min: 1e-4, max: 1, noNaN: true })
    fc.assert(
      fc.property(rate, rate, fc.integer({ min: 1, max: 400 }), (first, second, taken) => {
        const limitsOf = (bin: string) => ({ fetchesPerMs: bin === 'a' ? first : second })
        const numbering = numberingOf({ counters: memory(), depthMin: 0, limitsOf })
        const both = ['a', 'b'].flatMap((bin) =>
          Array.from({ length: taken }, () => ({ bin, priority: numbering.next([bin]) })),
        )
        const front = both.toSorted((x, y) => x.priority - y.priority).slice(0, taken)
        const ofA = front.filter(({ bin }) => bin === 'a').length
        const [a, b] = [scaleOf(first), scaleOf(second)]
        const share = (taken * b) / (a + b)
        expect(Math.abs(ofA - share)).toBeLessThanOrEqual(1 + 1e-9)
      }),
      { numRuns },
    )
  })

  test('a new bin never comes before the queue: its floor times its scale is the depth', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.double({ min: 1e-6, max: 1, noNaN: true }),
        (depth, rate) => {
          const scale = scaleOf(rate)
          expect(floorOf(depth, scale) * scale).toBeCloseTo(depth, 4)
        },
      ),
      { numRuns },
    )
  })
})
