import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasonOutcomes } from '../../contract/states/outcomes.ts'
import {
  afterInterruption,
  isHard,
  notFailing,
  patienceOf,
  patienceOfAnswer,
  type Failing,
  type FailingOn,
  type Patience,
} from './interruption.ts'

/** The nightly run sets a higher number. */
const propertyRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)
const minuteMs = 60_000

/** Stores the state as `settled.sql.ts` does: the first deadline of a series stays. */
function noted({ failMs }: Failing, { giveUpMs, failCount }: FailingOn, nowMs: number): Failing {
  return { failMs: failMs ?? (giveUpMs === null ? null : nowMs + giveUpMs), failCount }
}

/** The minutes at which a document is tried if every attempt fails, then `hard`. */
function triesOf(patience: Patience): (number | 'hard')[] {
  const tries: (number | 'hard')[] = []
  let failing: Failing = notFailing
  for (let nowMs = 0; tries.length < 40;) {
    tries.push(nowMs / minuteMs)
    const after = afterInterruption(failing, patience, nowMs)
    if (after.kind === 'hard') return [...tries, 'hard']
    failing = noted(failing, after.failing, nowMs)
    nowMs += after.delayMs
  }
  return tries
}

const rows: [string, Patience, (number | 'hard')[]][] = [
  [
    'a response that took too long: every 15 minutes for two hours',
    patienceOf.tooSlow,
    [0, 15, 30, 45, 60, 75, 90, 105, 120, 'hard'],
  ],
  ['refused: every two hours for six hours', patienceOf.refused, [0, 120, 240, 360, 'hard']],
  ['reset: one attempt, then the two that are left', patienceOf.reset, [0, 5, 10, 15, 'hard']],
  [
    'a temporary error of the server: every two hours for a day',
    patienceOfAnswer,
    [0, 120, 240, 360, 480, 600, 720, 840, 960, 1080, 1200, 1320, 1440, 'hard'],
  ],
]
test.each(rows)('%s', (_, patience, expected) => expect(triesOf(patience)).toEqual(expected))

test('without a deadline and a count, retries never end', () => {
  expect(triesOf({ retryMs: minuteMs, giveUpMs: null, retries: null })).toHaveLength(40)
})

test('every temporary error has its patience', () => {
  for (const reason of Object.keys(patienceOf) as (keyof typeof patienceOf)[])
    expect(reasonOutcomes[reason]).toBe('failed')
})

const met = fc.record<Patience>({
  retryMs: fc.nat(1_000),
  giveUpMs: fc.option(fc.nat(1_000)),
  retries: fc.option(fc.nat(5)),
})
const nowMs = fc.nat(1_000)
const failing = fc.record<Failing>({ failMs: fc.option(fc.nat(1_000)), failCount: fc.option(fc.nat(5)) })

test('it gives up if the next attempt would come after the deadline, or if none is left', () => {
  fc.assert(
    fc.property(failing, met, nowMs, (stored, patience, nowMs) => {
      const hard = (stored.failMs !== null && stored.failMs < nowMs + patience.retryMs) || stored.failCount === 0
      expect(isHard(stored, patience, nowMs)).toBe(hard)
      expect(afterInterruption(stored, patience, nowMs).kind).toBe(hard ? 'hard' : 'soft')
    }),
    { numRuns: propertyRuns },
  )
})

test('in a series the deadline never moves later, and the attempts left never increase', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(met, nowMs), { minLength: 1, maxLength: 12 }), (series) => {
      let stored = notFailing
      for (const [patience, nowMs] of series) {
        const after = afterInterruption(stored, patience, nowMs)
        if (after.kind === 'hard') return
        const next = noted(stored, after.failing, nowMs)
        if (stored.failMs !== null) expect(next.failMs).toBe(stored.failMs)
        if (stored.failCount !== null) expect(next.failCount).toBeLessThan(stored.failCount)
        stored = next
      }
    }),
    { numRuns: propertyRuns },
  )
})
