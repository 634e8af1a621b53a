import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { attemptLimits, type AttemptSettings } from './attemptLimits.ts'

const settings: AttemptSettings = { freeFailures: 3, waitMsMin: 1_000, waitMsMax: 8_000, forgetMs: 60_000, keysMax: 3 }

test('each failure after the free ones doubles the wait, up to the longest, and a success forgets them', () => {
  const limits = attemptLimits(settings)
  const waits: number[] = []
  let nowMs = 0
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const waitMs = limits.waitMs('a', nowMs)
    waits.push(waitMs)
    nowMs += waitMs
    expect(limits.waitMs('a', nowMs)).toBe(0)
    limits.begin('a', nowMs)
  }
  expect(waits).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 8_000, 8_000])
  expect(limits.waitMs('b', nowMs)).toBe(0)
  limits.clear('a')
  expect(limits.waitMs('a', nowMs)).toBe(0)
})

test('an attempt that has not failed is taken back, and no other', () => {
  const limits = attemptLimits(settings)
  for (let attempt = 0; attempt < 4; attempt += 1) limits.begin('a', 0)
  for (let right = 0; right < 10; right += 1) {
    limits.begin('b', 0)
    limits.undo('b')
  }
  limits.undo('c')
  expect([limits.waitMs('a', 0), limits.waitMs('b', 0)]).toEqual([2_000, 0])
  limits.undo('a')
  expect(limits.waitMs('a', 0)).toBe(1_000)
})

test('failures are forgotten after a while', () => {
  const limits = attemptLimits(settings)
  for (let attempt = 0; attempt < 5; attempt += 1) limits.begin('a', 0)
  expect(limits.waitMs('a', 1)).toBeGreaterThan(0)
  expect(limits.waitMs('a', settings.forgetMs)).toBe(0)
})

test('a bounded number of keys is remembered, the latest ones', () => {
  const limits = attemptLimits(settings)
  for (const key of ['a', 'b', 'c', 'd']) for (let attempt = 0; attempt < 3; attempt += 1) limits.begin(key, 0)
  expect(['a', 'b', 'c', 'd'].map((key) => limits.waitMs(key, 0) > 0)).toEqual([false, true, true, true])
})

test('the number of attempts is bounded by the time that has passed, however they are spread', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 5_000 }), { maxLength: 2_000 }), (pausesMs) => {
      const limits = attemptLimits(settings)
      let [nowMs, attempts] = [0, 0]
      for (const pauseMs of pausesMs) {
        nowMs += pauseMs
        if (limits.waitMs('a', nowMs) > 0) continue
        limits.begin('a', nowMs)
        attempts += 1
      }
      // The waits before the longest one are three; from then on there is one attempt in each of the longest waits.
      expect(attempts).toBeLessThanOrEqual(settings.freeFailures + 4 + nowMs / settings.waitMsMax)
    }),
  )
})
