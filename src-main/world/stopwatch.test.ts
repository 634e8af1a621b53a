import { expect, test } from 'vitest'
import { seededWorld } from './testing/seeded.ts'
import { awakeStopwatch, stopwatch } from './stopwatch.ts'

const hourMs = 3_600_000

test.each([-5 * hourMs, 5 * hourMs])('setting the clock by %i ms does not change a measured duration', async (byMs) => {
  const world = seededWorld({ seed: 1 })
  const elapsedMs = stopwatch(world.clock)
  await world.run(world.clock.sleep(1_000.6))
  expect(elapsedMs()).toBe(1_001)
  world.setClock(byMs)
  expect(elapsedMs()).toBe(1_001)
  await world.run(world.clock.sleep(500))
  expect(elapsedMs()).toBe(1_501)
})

test('a suspend that the monotonic clock counts adds at most the longest gap', async () => {
  const world = seededWorld({ seed: 1 })
  const awakeMs = awakeStopwatch(world.clock, 2_000)
  await world.run(world.clock.sleep(1_000))
  expect(awakeMs()).toBe(1_000)
  world.suspend(hourMs)
  expect(awakeMs()).toBe(3_000)
  await world.run(world.clock.sleep(500))
  expect(awakeMs()).toBe(3_500)
})
