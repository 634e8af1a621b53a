import { describe, expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { bandwidthOf } from './bandwidth.ts'
import { pauseMsAfter } from './hostDelay.ts'

describe('the delay after a response', () => {
  const terms = { delayMs: 1000, delayFactor: 3, delayMsMax: 20_000 }
  const rows: [name: string, more: object, tookMs: number, crawlDelayMs: number, pauseMs: number][] = [
    ['the setting', {}, 0, 0, 1000],
    ['a multiple of the response time', {}, 2000, 0, 6000],
    ['up to its maximum', {}, 60_000, 0, 20_000],
    ['the delay of robots.txt, when it is longest', {}, 2000, 9000, 9000],
    ['robots.txt does not shorten it', {}, 0, 10, 1000],
    ['a pause of 0 adapts to nothing', { delayMs: 0 }, 2000, 0, 0],
    ['but robots.txt is obeyed', { delayMs: 0 }, 2000, 500, 500],
    ['a factor of 0', { delayFactor: 0 }, 9000, 0, 1000],
  ]
  test.each(rows)('%s', (_, more, tookMs, crawlDelayMs, pauseMs) => {
    expect(pauseMsAfter({ ...terms, ...more }, { tookMs, crawlDelayMs })).toBe(pauseMs)
  })
})

describe('bytes per second', () => {
  test('several readers share the rate, and a pause starts again', async () => {
    const world = seededWorld({ seed: 1 })
    const { clock } = world
    const startMs = clock.elapsed()
    const bandwidth = bandwidthOf(world, 10)
    const { signal } = new AbortController()
    bandwidth.begin(clock.elapsed())
    bandwidth.begin(clock.elapsed())
    await world.run(Promise.all([bandwidth.came(5_000, signal), bandwidth.came(5_000, signal)]))
    expect(clock.elapsed() - startMs).toBeGreaterThanOrEqual(1_000)
    bandwidth.end()
    bandwidth.end()
    await world.run(clock.sleep(60_000))
    const againMs = clock.elapsed()
    bandwidth.begin(againMs)
    await world.run(bandwidth.came(10_000, signal))
    expect(clock.elapsed() - againMs).toBeGreaterThanOrEqual(1_000)
    expect(clock.elapsed() - againMs).toBeLessThan(1_100)
  })

  test('a reader that is told to stop does not wait', async () => {
    const world = seededWorld({ seed: 1 })
    const stop = new AbortController()
    const bandwidth = bandwidthOf(world, 1)
    bandwidth.begin(world.clock.elapsed())
    const came = bandwidth.came(1e9, stop.signal)
    stop.abort()
    await world.run(came)
    await world.run(bandwidth.came(1e9, stop.signal))
  })
})
