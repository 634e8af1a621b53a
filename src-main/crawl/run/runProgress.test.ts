import { expect, test } from 'vitest'
import { runProgress } from './runProgress.ts'

const before = { fetched: 0, bytes: 0 }

test.each([
  ['no limit', {}, { fetched: 1e6, bytes: 1e12 }, 1e9, undefined],
  ['objects', { maxObjects: 5 }, { fetched: 5, bytes: 1 }, 0, 'OBJECT_LIMIT'],
  ['one object less', { maxObjects: 5 }, { fetched: 4, bytes: 1 }, 0, undefined],
  ['bytes', { maxBytes: 100 }, { fetched: 1, bytes: 100 }, 0, 'SIZE_LIMIT'],
  ['time', { maxSeconds: 2 }, { fetched: 1, bytes: 1 }, 2000, 'TIME_LIMIT'],
  ['objects before time', { maxObjects: 1, maxSeconds: 2 }, { fetched: 1, bytes: 1 }, 2000, 'OBJECT_LIMIT'],
])('%s', (_, definition, committed, elapsedMs, limit) => {
  const progress = runProgress(definition, { before, runTime: { elapsedMs: () => elapsedMs } })
  progress.add(committed)
  expect(progress.limitReached(0)).toBe(limit)
})

test('requests in flight and earlier segments count towards the limit of objects', () => {
  const progress = runProgress({ maxObjects: 5 }, { before: { fetched: 2, bytes: 0 }, runTime: { elapsedMs: () => 0 } })
  expect([0, 2, 3].map((inFlight) => progress.hasRoom(inFlight))).toEqual([true, true, false])
})

test('time without data and time without requests end a run, each counted from what was last', () => {
  let elapsedMs = 0
  const runTime = { elapsedMs: () => elapsedMs }
  const progress = runProgress({ maxNoResponseSeconds: 10, maxInactiveSeconds: 5 }, { before, runTime })
  const reachedAt = (ms: number, inFlight: number) => {
    elapsedMs = ms
    return progress.limitReached(inFlight)
  }
  expect([reachedAt(4_000, 1), reachedAt(8_999, 0)]).toEqual([undefined, undefined])
  expect(reachedAt(9_000, 0)).toBe('INACTIVE')
  expect(reachedAt(10_000, 1)).toBe('NO_RESPONSE')
  progress.received()
  progress.requestEnded()
  expect([reachedAt(19_000, 1), reachedAt(20_000, 1)]).toEqual([undefined, 'NO_RESPONSE'])
})
