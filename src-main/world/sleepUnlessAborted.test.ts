import { expect, test } from 'vitest'
import { sleepUnlessAborted } from './sleepUnlessAborted.ts'
import { seededWorld } from './testing/seeded.ts'

test('sleeps for its duration, and ends without an error when its signal is aborted', async () => {
  const world = seededWorld({ seed: 1 })
  const stop = new AbortController()
  const beganMs = world.clock.elapsed()
  await world.run(sleepUnlessAborted(world.clock, 1_000, stop.signal))
  expect(world.clock.elapsed() - beganMs).toBe(1_000)
  const interrupted = sleepUnlessAborted(world.clock, 1_000, stop.signal)
  stop.abort(new Error('enough'))
  await world.run(interrupted)
  await world.run(sleepUnlessAborted(world.clock, 1_000, stop.signal))
  expect(world.clock.elapsed() - beganMs).toBe(1_000)
})

test('another error of the clock is not hidden', async () => {
  const clock = { sleep: () => Promise.reject(new Error('no timer')) }
  await expect(sleepUnlessAborted(clock, 1, new AbortController().signal)).rejects.toThrow('no timer')
})
