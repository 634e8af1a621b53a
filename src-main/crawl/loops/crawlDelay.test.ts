/** The whole engine and a robots.txt with a Crawl-delay: it applies in addition to the throttle rules, up to its limit. */
import { expect, test } from 'vitest'
import { crawlDelayMsMax } from '../model/limits.ts'
import { linksTo, lived, secondMs } from './testing/engineFixture.ts'

test.each([
  ['a delay that is applied', 7, 7 * secondMs],
  ['an excessive delay is capped', 86_400, crawlDelayMsMax],
])('%s', async (_what, seconds, pauseMs) => {
  const found = await lived(
    {
      seed: 1,
      answer: (path) => {
        if (path === '/robots.txt') return { body: `User-agent: *\nCrawl-delay: ${seconds}`, mediaType: 'text/plain' }
        return path === '/' ? linksTo('/a', '/b', '/c') : linksTo()
      },
      definition: {
        seeds: ['http://site.test/'],
        throttle: { rules: [{ match: 'site', fetchesPerMinute: 600, connections: 2 }] },
        connectionsPerHost: 2,
      },
    },
    ({ until }) => until(/^INACTIVE$/),
  )
  const pages = found.asked.filter(({ path }) => path !== '/robots.txt').map(({ atMs }) => atMs)
  expect(pages).toHaveLength(4)
  for (const [at, atMs] of pages.slice(1).entries()) {
    const pause = atMs - (pages[at] ?? 0)
    expect(pause).toBeGreaterThanOrEqual(pauseMs)
    expect(pause).toBeLessThan(pauseMs + 3 * secondMs)
  }
  expect(found.problems).toEqual([])
})
