/** The whole engine while the system clock is set or the machine is suspended: neither affects the duration of a run or its time
 *  limit, and postponed documents wait as long as planned. */
import { expect, test } from 'vitest'
import { jobSummary } from '../../contract/services/jobSummary.ts'
import { jobWhole } from '../../contract/services/jobDetails.ts'
import { linksTo, lived, noRules, secondMs, type EngineTrial, type Life } from './testing/engineFixture.ts'

const hourMs = 3_600_000
const paths = Array.from({ length: 30 }, (_, number) => `/${number}`)
/** A harvest of half a minute: one page per second. */
const site: EngineTrial = {
  seed: 1,
  answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo(...paths) : linksTo()),
  definition: { seeds: ['http://site.test/'] },
  settings: { delayMs: secondMs },
}

/** The job as clients see it; the shapes of the contract are checked too. */
function shown({ jobs, job }: Pick<Life, 'jobs' | 'job'>) {
  for (const each of jobs.list()) jobSummary.parse(each)
  jobWhole.parse({ ...jobs.show(job), files: [], fileBytes: 0 })
  return jobSummary.parse(jobs.summary(job))
}

const jumps: [string, (life: Life) => void][] = [
  ['is set back', ({ world }) => world.setClock(-3 * hourMs)],
  ['is set forward, or stops during a suspend', ({ world }) => world.setClock(3 * hourMs)],
  ['is set forward and back again between two checks', ({ world }) => (world.setClock(9e9), world.setClock(-9e9))],
  ['continues during a suspend', ({ world }) => world.suspend(3 * hourMs)],
]

test.each(jumps)('the duration of a run is right when the clock %s', async (_, jump) => {
  const found = await lived(site, async (life) => {
    await life.until(/^ACTIVE$/)
    await life.sleep(10 * secondMs)
    jump(life)
    shown(life)
    await life.sleep(secondMs)
    // Stored every few seconds.
    expect(shown(life).seconds).toBeGreaterThan(4)
    expect(shown(life).seconds).toBeLessThan(20)
    await life.until(/^INACTIVE$/)
  })
  const { seconds, stopReason, documents } = shown(found)
  expect({ stopReason, fetched: documents.fetched }).toEqual({
    stopReason: 'DOWNLOAD_COMPLETE',
    fetched: paths.length + 2,
  })
  // A few seconds of a suspend that the monotonic clock counts are taken for work.
  expect(seconds).toBeGreaterThan(30)
  expect(seconds).toBeLessThan(40)
  expect(found.problems).toEqual([])
})

test.each(jumps)('the time limit is not reached early when the clock %s', async (_, jump) => {
  const definition = { seeds: ['http://site.test/'], maxSeconds: 20 }
  let activeMs = 0
  const found = await lived({ ...site, definition }, async (life) => {
    await life.until(/^ACTIVE$/)
    const beganMs = life.world.clock.elapsed()
    await life.sleep(10 * secondMs)
    const asleepMs = life.world.clock.elapsed()
    jump(life)
    const awakeMs = life.world.clock.elapsed()
    await life.until(/^INACTIVE$/)
    activeMs = asleepMs - beganMs + life.world.clock.elapsed() - awakeMs
  })
  expect(shown(found)).toMatchObject({ stopReason: 'TIME_LIMIT' })
  expect(shown(found).seconds).toBeGreaterThanOrEqual(20)
  expect(shown(found).seconds).toBeLessThan(21)
  // A few seconds of the suspend count; the limit is checked every second.
  expect(activeMs / secondMs).toBeGreaterThan(14)
  expect(activeMs / secondMs).toBeLessThan(24)
})

test('pauses and time without an engine do not count towards the time limit, and a kill loses a few seconds', async () => {
  const definition = { seeds: ['http://site.test/'], maxSeconds: 20 }
  let lives = 0
  const found = await lived({ ...site, definition, cutsAfterCalls: [200] }, async (life) => {
    lives += 1
    if (lives === 2) {
      // The machine was off for a day, and its clock lost a year.
      life.world.setClock(-365 * 24 * hourMs)
      await life.until(/^ACTIVE$/)
      expect(shown(life).seconds).toBeLessThan(20)
      life.jobs.act(life.job, 'pause')
      await life.until(/^PAUSED$/)
      await life.sleep(hourMs)
      life.jobs.act(life.job, 'resume')
    }
    await life.until(/^INACTIVE$/)
  })
  expect(lives).toBe(2)
  expect(shown(found)).toMatchObject({ stopReason: 'TIME_LIMIT' })
  expect(shown(found).seconds).toBeGreaterThanOrEqual(20)
  expect(shown(found).seconds).toBeLessThan(21)
})

test('retries wait as long as planned when the clock is set back, and no burst of requests follows', async () => {
  // Two seconds after the answer, and then four: never the hours by which the clock was set back.
  const answer = (path: string, atMs: number) =>
    path === '/5' && atMs > 0 && !tried.has(path)
      ? (tried.add(path), { status: 503, body: 'later' })
      : site.answer(path, atMs)
  const tried = new Set<string>()
  const found = await lived({ ...site, answer }, async (life) => {
    await life.until(/^ACTIVE$/)
    while (!tried.has('/5')) await life.sleep(100)
    life.world.setClock(-3 * hourMs)
    await life.until(/^INACTIVE$/)
  })
  expect(shown(found)).toMatchObject({
    stopReason: 'DOWNLOAD_COMPLETE',
    documents: { fetched: paths.length + 2, failed: 0 },
  })
  expect(shown(found).seconds).toBeLessThan(60)
  expect(found.asked.filter(({ path }) => path === '/5')).toHaveLength(2)
})
