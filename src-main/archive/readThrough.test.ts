import { expect, test } from 'vitest'
import type { Clock } from '../world/world.ts'
import { nowAndThen, stopwatch } from './readThrough.ts'
import { limited } from './replica/limited.ts'
import type { Replica } from './replica/replica.ts'

const hourMs = 3_600_000

/** A clock that a person sets. */
function settableClock() {
  const slept: number[] = []
  let nowMs = 10 * hourMs
  const clock: Clock = {
    now: () => nowMs,
    elapsed: () => slept.reduce((total, each) => total + each, 0),
    async sleep(durationMs) {
      slept.push(durationMs)
      nowMs += durationMs
    },
  }
  return { clock, slept, turn: (byMs: number) => (nowMs += byMs) }
}

test('a clock that is set back stands still, and one that goes on counts', () => {
  const { clock, turn } = settableClock()
  const elapsedMs = stopwatch(clock)
  turn(1_000)
  expect(elapsedMs()).toBe(1_000)
  turn(-5 * hourMs)
  expect(elapsedMs()).toBe(1_000)
  turn(500)
  expect(elapsedMs()).toBe(1_500)
})

test('whoever sets the clock back does not lose sight of what goes on', () => {
  const { clock, turn } = settableClock()
  const told: number[] = []
  const tell = nowAndThen(clock, (value: number) => told.push(value))
  turn(-hourMs)
  tell(1)
  turn(1_000)
  tell(2)
  expect(told).toEqual([2])
})

test('a reading that is held down does not stand still for the hours that the clock was set back', async () => {
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
  turn(-5 * hourMs)
  await file.read(new Uint8Array(1_000), 1_000)
  // What passed since the last look is not known any more, so it is waited for again; the hours are not.
  expect(slept).toEqual([1_000, 2_000])
})
