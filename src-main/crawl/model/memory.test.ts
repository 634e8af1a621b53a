import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { knownUrls } from './knownUrls.ts'
import { defaultCrawlSettings } from './limits.ts'
import { allowanceOf, memoryBytesMin, memoryShares, partOf } from './memory.ts'
import { spoolIn } from '../capture/fetch/spool.ts'

describe('memory of the harvester', () => {
  test.each([memoryBytesMin, defaultCrawlSettings.memoryBytesMax])('of %i bytes no more is shared out', (bytesMax) => {
    const shares = Object.values(memoryShares(bytesMax))
    expect(Math.min(...shares)).toBeGreaterThan(1_000_000)
    expect(shares.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(bytesMax)
  })

  test('a response that gets no memory goes to disk and releases what it had', async () => {
    const world = seededWorld({ seed: 1 })
    await world.run(world.disk.makeFolder('/job'))
    const answers = allowanceOf(10)
    const [one, other] = [
      spoolIn(world, { folder: '/job', runId: 'run' }, answers),
      spoolIn(world, { folder: '/job', runId: 'run' }, answers),
    ]
    await world.run(one.append(new Uint8Array(6)))
    await world.run(other.append(new Uint8Array(4)))
    await world.run(other.append(new Uint8Array([7])))
    expect([one.memory?.length, other.memory]).toEqual([1, undefined])
    expect(answers.take(4)).toBe(true)
    expect(answers.take(1)).toBe(false)
    await world.run(one.discard())
    await world.run(one.discard())
    expect(answers.take(6)).toBe(true)
    expect(answers.take(1)).toBe(false)
    expect([...(await world.run(other.head(5)))]).toEqual([0, 0, 0, 0, 7])
  })

  test('a run returns the rest of its share at its end', () => {
    const whole = allowanceOf(10)
    const [one, other] = [partOf(whole), partOf(whole)]
    expect([one.take(7), other.take(3), other.take(1)]).toEqual([true, true, false])
    one.giveBack(2)
    one.giveAllBack()
    expect([other.take(7), other.take(1)]).toEqual([true, false])
  })
})

describe('known URLs', () => {
  const action = fc.record({
    job: fc.integer({ min: 1, max: 3 }),
    url: fc.integer({ min: 0, max: 40 }).map((number) => `http://a.test/${number}`),
    verdict: fc.constantFrom('wanted' as const, 'excluded' as const),
    what: fc.constantFrom('has' as const, 'add' as const, 'add' as const, 'add' as const, 'forget' as const),
  })

  test('a URL is only known if the job has added it since it last forgot', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const known = knownUrls(1_500)
        const truly = new Set<string>()
        for (const { job, url, verdict, what } of actions) {
          const name = `${job} ${verdict} ${url}`
          if (what === 'has' && known.of(job).has(url, verdict)) expect(truly).toContain(name)
          if (what === 'add') {
            known.of(job).add(url, verdict)
            truly.add(name)
          }
          if (what !== 'forget') continue
          known.of(job).forget()
          for (const each of truly) if (each.startsWith(`${job} `)) truly.delete(each)
        }
      }),
    )
  })

  test('remembers as many as fit in memory, the newest ones', () => {
    const known = knownUrls(100_000).of(1)
    const urls = Array.from({ length: 20_000 }, (_, number) => `http://a.test/${number}`)
    for (const url of urls) known.add(url, 'wanted')
    const remembered = urls.filter((url) => known.has(url, 'wanted'))
    expect(remembered.length).toBeLessThan(100_000 / 64)
    expect(remembered.length).toBeGreaterThan(300)
    expect(known.has('http://a.test/19999', 'wanted')).toBe(true)
  })

  test('a URL that was cut out of a page does not keep the page in memory', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const known = knownUrls(10_000_000).of(1)
    collect()
    const before = process.memoryUsage().heapUsed
    for (let number = 0; number < 1_000; number += 1) {
      const page = Buffer.alloc(100_000, `<a href="http://a.test/a-page-of-some-site-${number}.html">`).toString(
        'latin1',
      )
      known.add(page.slice(page.indexOf('http'), page.indexOf('">')), 'wanted')
    }
    collect()
    expect(known.has('http://a.test/a-page-of-some-site-7.html', 'wanted')).toBe(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
  })

  test('URLs that are requested often stay', () => {
    const known = knownUrls(100_000).of(1)
    known.add('http://a.test/', 'wanted')
    for (let number = 0; number < 20_000; number += 1) {
      known.add(`http://a.test/${number}`, 'wanted')
      expect(known.has('http://a.test/', 'wanted')).toBe(true)
    }
  })
})
