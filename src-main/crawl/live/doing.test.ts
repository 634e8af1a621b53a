/** The whole engine with a job that is waiting: the explanation on its page and in `loupe jobs ID`. */
import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import { linksTo, lived, noRules, secondMs, type EngineTrial, type Life } from '../loops/testing/engineFixture.ts'

const seeds = ['http://site.test/']

/** Returns the different explanations of 45 seconds, one per line. */
async function explanations(
  trial: Partial<EngineTrial>,
  meanwhile: (life: Life) => Promise<void> | void = () => undefined,
): Promise<string> {
  const seen = new Set<string>()
  await lived(
    {
      seed: 1,
      answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo('/a', '/b') : linksTo()),
      definition: { seeds },
      ...trial,
    },
    async (life) => {
      await meanwhile(life)
      for (let seconds = 0; seconds < 45; seconds += 1) {
        seen.add(textOf(life.jobs.show(life.job).doing))
        await life.sleep(secondMs)
      }
    },
  )
  return [...seen].join('\n')
}

const continuous = { type: 'continuous', intervalSeconds: 3_600, reseedSeconds: null }
const anyHour = { records: [{ hours: [2], minutes: [0], durationMinutes: 60 }] }

test.each<[why: string, trial: Partial<EngineTrial>, text: RegExp]>([
  [
    'its host must not be contacted yet',
    { settings: { delayMs: 20 * secondMs } },
    /^Waiting 1\d s before the next request \(politeness\)\.$/m,
  ],
  [
    'no URL is due for an hour',
    { definition: { seeds, recheck: continuous } },
    /^All queued URLs are due later, next in (60|59) min\.$/m,
  ],
  [
    'a rule of 0 requests per minute',
    { definition: { seeds, throttle: { rules: [{ match: 'site', fetchesPerMinute: 0 }] } } },
    /^A throttle rule blocks all requests to http:\/\/site\.test \(0 requests per minute\), and nothing else is queued\./m,
  ],
  [
    'its window has not opened yet',
    { definition: { seeds, schedule: anyHour } },
    /^Next run: \w+ 2026-01-0\d 02:00 \(UTC\)\.$/m,
  ],
])('%s', async (_why, trial, text) => expect(await explanations(trial)).toMatch(text))

test('the disk is nearly full', async () => {
  const settings = { freeBytesMin: 400_000_000, delayMs: 5 * secondMs }
  const text = await explanations({ settings }, ({ world }) => void (world.disk.freeBytesLeft = 1_000_000))
  expect(text).toMatch(/^The disk of the archive has only [\d.]+\s\wB free, and 400\sMB must stay free\. Make room/m)
})

test('its connector is not installed', async () => {
  const text = await explanations({}, ({ store }) => {
    store.statement<object>(`UPDATE connector SET state = 'DEINSTALLED' WHERE name = 'web'`).run({})
  })
  expect(text).toMatch(/is not installed\. Install it/)
})
