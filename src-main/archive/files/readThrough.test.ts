import { expect, test } from 'vitest'
import type { Clock } from '../../world/world.ts'
import { nowAndThen } from './readThrough.ts'
import { limited } from '../replica/limited.ts'
import type { Replica } from '../replica/replica.ts'

const hourMs = 3_600_000

/** A clock that can be set while time passes. */
function settableClock() {
  const slept: number[] = []
  let [nowMs, elapsedMs] = [10 * hourMs, 0]
  const pass = (durationMs: number) => {
    nowMs += durationMs
    elapsedMs += durationMs
  }
  const clock: Clock = {
    now: () => nowMs,
    elapsed: () => elapsedMs,
    async sleep(durationMs) {
      slept.push(durationMs)
      pass(durationMs)
    },
  }
  return { clock, slept, pass, turn: (byMs: number) => void (nowMs += byMs) }
}

test.each([-hourMs, hourMs])('setting the clock by %i ms does not change the frequency of progress reports', (byMs) => {
  const { clock, pass, turn } = settableClock()
  const reported: number[] = []
  const report = nowAndThen(clock, (value: number) => reported.push(value))
  turn(byMs)
  report(1)
  pass(1_000)
  report(2)
  turn(-byMs)
  report(3)
  expect(reported).toEqual([2])
})

test.each([-5 * hourMs, 5 * hourMs])('a reading keeps its pace when the clock is set by %i ms', async (byMs) => {
  const { clock, slept, turn } = settableClock()
  const bytes = {
    read: async (into: Uint8Array) => into.length,
    bytes: async () => 4_000,
    close: async () => undefined,
  }
  const inner: Pick<Replica, 'open'> = { open: async () => bytes }
  const slow = limited(inner as Replica, clock, { bytesPerSecondMax: 1_000, operationsAtOnceMax: 1 })
  const file = await slow.open('a.warc')
  await file.read(new Uint8Array(1_000), 0)
  turn(byMs)
  await file.read(new Uint8Array(1_000), 1_000)
  expect(slept).toEqual([1_000, 1_000])
})
