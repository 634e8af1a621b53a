import { expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { deadline } from './deadline.ts'

const hourMs = 3_600_000

test('a limit expires after its time, regardless of clock changes', async () => {
  const world = seededWorld({ seed: 1 })
  const { signal } = deadline(world.clock, hourMs)
  world.setClock(2 * hourMs)
  await world.run(world.clock.sleep(hourMs - 1))
  expect(signal.aborted).toBe(false)
  world.setClock(-4 * hourMs)
  await world.run(world.clock.sleep(2))
  expect(signal.aborted).toBe(true)
})

test('a limit does not pass while the machine is suspended', async () => {
  const world = seededWorld({ seed: 1 })
  const { signal } = deadline(world.clock, hourMs)
  world.suspend(9 * hourMs)
  await world.run(world.clock.sleep(hourMs - 30_000))
  expect(signal.aborted).toBe(false)
  await world.run(world.clock.sleep(30_001))
  expect(signal.aborted).toBe(true)
})

test('work that ends before leaves no timer, and its limit never expires', async () => {
  const world = seededWorld({ seed: 1 })
  const time = deadline(world.clock, hourMs)
  await world.run(time.end())
  await world.run(world.clock.sleep(2 * hourMs))
  expect(time.signal.aborted).toBe(false)
})
