import { expect, test } from 'vitest'
import { restMs } from '../model/limits.ts'
import { restWatch } from './rest.ts'

test('rest is noticed once after the start, and once after each time of work', () => {
  let nowMs = 7
  let rests = 0
  const clock = { now: () => 0, elapsed: () => nowMs, sleep: async () => undefined }
  const watch = restWatch({ clock }, () => (rests += 1))
  const after = (ms: number, isBusy = false) => {
    nowMs += ms
    watch(isBusy)
    return rests
  }
  expect([after(restMs - 1), after(1), after(1), after(restMs)]).toEqual([0, 1, 1, 1])
  expect([after(1, true), after(restMs - 1), after(1, true), after(restMs), after(restMs)]).toEqual([1, 1, 1, 2, 2])
})
