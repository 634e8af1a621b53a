import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { cleanupStepRows, historyCleanup } from './cleanup.ts'
import { addActivities } from './testing/historyFixture.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const dayMs = 86_400_000
const cleanup = historyCleanup(store)
const kept = store.statement<object, { startMs: number }>(`SELECT start_ms AS startMs FROM activity ORDER BY id`)

function fill(days: readonly number[]): void {
  store.statement<object>('DELETE FROM activity').run({})
  addActivities(
    store,
    days.map((day) => ({
      kind: 'fetch',
      job: 1,
      startMs: day * dayMs,
      durationMs: 0,
      identifier: 'http://a.test/',
      result: '200',
    })),
  )
}

test('keeps activities that are young enough, up to the limit', () => {
  const days = fc.array(fc.nat(40), { maxLength: 60 })
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 50 }), (given, historyDays, most) => {
      fill(given)
      let steps = 0
      while (cleanup({ historyDays, historyRowsMax: most }, 40 * dayMs) > 0) steps += 1
      const isYoung = (day: number) => day >= 40 - historyDays
      const young = given.filter(isYoung)
      const stayed = kept.all({}).map(({ startMs }) => startMs / dayMs)
      expect(stayed.length).toBeLessThanOrEqual(most)
      // Rows that went by their age leave room for as many older numbers, never for older days.
      expect(stayed).toEqual(young.slice(young.length - stayed.length))
      expect(stayed.length).toBeGreaterThanOrEqual(given.slice(-most).filter(isYoung).length)
      expect(steps).toBeLessThanOrEqual(2)
    }),
    { numRuns: Math.ceil(Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) / 5) },
  )
})

test('removes a bounded number in one step, so that other work continues', () => {
  fill(Array.from({ length: cleanupStepRows * 2 + 10 }, () => 1))
  const bounds = { historyDays: 1, historyRowsMax: 1_000_000 }
  const removed = Array.from({ length: 4 }, () => cleanup(bounds, 10 * dayMs))
  expect(removed).toEqual([cleanupStepRows, cleanupStepRows, 10, 0])
})
