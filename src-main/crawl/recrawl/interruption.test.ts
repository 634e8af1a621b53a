import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasons } from '../../contract/outcomes.ts'
import {
  afterInterruption,
  interruptionAt,
  isHard,
  notFailing,
  patienceOf,
  patienceOfAnswer,
  type Failing,
  type Interruption,
  type Patience,
} from './interruption.ts'

/** The nightly run asks for more. */
const propertyRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)
const minuteMs = 60_000

/** The minutes at which a document is tried when every try fails, and then `hard`. */
function triesOf(patience: Patience): (number | 'hard')[] {
  const tries: (number | 'hard')[] = []
  let failing: Failing = notFailing
  for (let nowMs = 0; tries.length < 40;) {
    tries.push(nowMs / minuteMs)
    const after = afterInterruption(failing, interruptionAt(nowMs, patience))
    if (after.kind === 'hard') return [...tries, 'hard']
    failing = after
    nowMs = after.retryMs
  }
  return tries
}

const rows: [string, Patience, (number | 'hard')[]][] = [
  [
    'a read that timed out: every 15 minutes for two hours',
    patienceOf.tooSlow,
    [0, 15, 30, 45, 60, 75, 90, 105, 120, 'hard'],
  ],
  ['refused: every two hours for six', patienceOf.refused, [0, 120, 240, 360, 'hard']],
  ['broken off: once more, and then the two that are left', patienceOf.reset, [0, 5, 10, 15, 'hard']],
  [
    'an answer that says later: every two hours for a day',
    patienceOfAnswer,
    [0, 120, 240, 360, 480, 600, 720, 840, 960, 1080, 1200, 1320, 1440, 'hard'],
  ],
]
test.each(rows)('%s', (_, patience, expected) => expect(triesOf(patience)).toEqual(expected))

test('without an end and without a count it is tried for ever', () => {
  expect(triesOf({ retryMs: minuteMs, giveUpMs: null, retries: null })).toHaveLength(40)
})

test('every fault that passes has its patience', () => {
  for (const reason of Object.keys(patienceOf) as (keyof typeof patienceOf)[])
    expect(reasons[reason].outcome).toBe('failed')
})

const interruption = fc.record<Interruption>({
  retryMs: fc.nat(1_000),
  failMs: fc.option(fc.nat(1_000)),
  retries: fc.option(fc.nat(5)),
})
const failing = fc.record<Failing>({ failMs: fc.option(fc.nat(1_000)), failCount: fc.option(fc.nat(5)) })

test('the decision is the formula: the end has passed before the next try, or no try is left', () => {
  fc.assert(
    fc.property(failing, interruption, (stored, met) => {
      const hard = (stored.failMs !== null && stored.failMs < met.retryMs) || stored.failCount === 0
      expect(isHard(stored, met)).toBe(hard)
      expect(afterInterruption(stored, met).kind).toBe(hard ? 'hard' : 'soft')
    }),
    { numRuns: propertyRuns },
  )
})

test('in a series the end never moves later and the tries that are left never grow', () => {
  fc.assert(
    fc.property(fc.array(interruption, { minLength: 1, maxLength: 12 }), (series) => {
      let stored = notFailing
      for (const met of series) {
        const after = afterInterruption(stored, met)
        if (after.kind === 'hard') return
        if (stored.failMs !== null) expect(after.failMs).toBe(stored.failMs)
        if (stored.failCount !== null) expect(after.failCount).toBeLessThan(stored.failCount)
        stored = after
      }
    }),
    { numRuns: propertyRuns },
  )
})
