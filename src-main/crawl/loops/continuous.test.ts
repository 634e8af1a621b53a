/** The whole engine with a continuous job: it checks pages and queues seeds at intervals, and removes expired documents, also
 *  after power cuts. */
import { expect, test } from 'vitest'
import { linksTo, lived, noRules, secondMs, type Lived } from './testing/engineFixture.ts'

const lifeMs = 900 * secondMs
const intervalSeconds = 60
/** A page expires after two and a half intervals. */
const expirySeconds = 150
const reseedSeconds = 240
const recheck = {
  type: 'continuous',
  intervalSeconds,
  intervalSecondsMax: intervalSeconds,
  expirySeconds,
  reseedSeconds,
}

/** The front page leads to two others; none of them ever changes. */
function answer(path: string) {
  if (path === '/robots.txt') return noRules
  return path === '/' ? linksTo('/a', '/b') : { body: `the page ${path}` }
}

const harvested = (cutsAfterCalls: readonly number[]): Promise<Lived> =>
  lived(
    { seed: 5, answer, cutsAfterCalls, definition: { seeds: ['http://site.test/'], recheck } },
    async ({ jobs, job, sinceMs, sleep, until }) => {
      while (sinceMs() < lifeMs) await sleep(secondMs)
      expect(jobs.summary(job).state).toMatch(/^ACTIVE/)
      jobs.act(job, 'abort')
      await until(/^INACTIVE$/)
    },
  )

function expectLived({ asked, problems, jobs, job, store, log }: Lived): void {
  const timesOf = (path: string) => asked.filter((each) => each.path === path).map(({ atMs }) => atMs)
  for (const path of ['/', '/a', '/b']) expect(timesOf(path).length, path).toBeGreaterThan(3)
  const expired = store.statement<object, { url: string }>(`SELECT url FROM removed_document WHERE why = 'expired'`)
  expect(new Set(expired.all({}).map(({ url }) => url))).toContain('http://site.test/a')
  expect(log().filter((text) => text.startsWith('Seeds read again:')).length).toBeGreaterThan(1)
  expect(problems).toEqual([])
  expect(jobs.summary(job)).toMatchObject({ status: 'Stopped', stopReason: 'DOWNLOAD_UNFINISHED', queued: 0 })
  // Documents that waited for their next check have an outcome.
  const states = store.statement('SELECT DISTINCT state, outcome IS NOT NULL AS hasOutcome FROM document')
  expect(states.all({})).toEqual([{ state: 'COMPLETE', hasOutcome: 1 }])
}

test('it checks all documents again, removes expired ones, and finds them again from its seeds', async () => {
  const found = await harvested([])
  expectLived(found)
  const times = found.asked.filter(({ path }) => path === '/a').map(({ atMs }) => atMs)
  // Two checks are one interval apart, or the time from the expiry to the next discovery.
  for (const [index, atMs] of times.slice(1).entries())
    expect(atMs - (times[index] ?? 0)).toBeGreaterThan(intervalSeconds * secondMs - secondMs)
})

test('it continues after a power cut at any call', async () => {
  const { calls } = await harvested([])
  for (let at = 1; at <= 3; at += 1) expectLived(await harvested([Math.floor((calls * at) / 4), Math.floor(calls / 9)]))
}, 240_000)
