/** The whole engine with limits of waiting: a run that receives nothing, or has no request in progress, ends unfinished and says why. */
import { expect, test } from 'vitest'
import { jobSummary } from '../../contract/services/jobSummary.ts'
import { linksTo, lived, noRules, secondMs, type EngineTrial, type Life } from './testing/engineFixture.ts'

const page = '/page'
const never = new Promise<undefined>(() => undefined)
/** Servers may be silent for longer than any of the limits. */
const patient = { silenceMsMax: 9e6, responseMsMax: 9e6, attemptsMax: 1 }

/** A site whose second page has this answer. */
function siteWith(
  second: EngineTrial['answer'],
  definition: object,
  settings: EngineTrial['settings'] = {},
): EngineTrial {
  return {
    seed: 1,
    answer: (path, atMs) =>
      path === '/robots.txt' ? noRules : path === '/' ? linksTo(page, '/other') : path === page ? second(path, atMs) : linksTo(), // prettier-ignore
    definition: { seeds: ['http://site.test/'], ...definition },
    settings: { ...patient, ...settings },
  }
}

async function ended(trial: EngineTrial, live: (life: Life) => Promise<void> = async () => undefined) {
  const found = await lived(trial, async (life) => {
    await life.until(/^ACTIVE$/)
    await live(life)
    await life.until(/^INACTIVE$/)
  })
  expect(found.problems).toEqual([])
  const { stopReason, seconds, documents } = jobSummary.parse(found.jobs.summary(found.job))
  return { stopReason, seconds, documents, log: found.log().join('\n') }
}

test('a run that receives nothing ends after the limit, with what it has', async () => {
  const { stopReason, seconds, documents, log } = await ended(siteWith(() => never, { maxNoResponseSeconds: 60 }))
  expect(stopReason).toBe('DOWNLOAD_UNFINISHED')
  expect(seconds).toBeGreaterThanOrEqual(60)
  expect(seconds).toBeLessThan(90)
  expect(documents).toMatchObject({ fetched: 2, excluded: 2 })
  expect(log).toContain('no server sent data for longer than the limit')
})

test('a server that is slow but alive does not end the run', async () => {
  const pages = Array.from({ length: 12 }, (_, at) => `/${at}`)
  const trial: EngineTrial = {
    ...siteWith(() => undefined, { maxNoResponseSeconds: 30, maxInactiveSeconds: 30 }, { delayMs: 20 * secondMs }),
    answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo(...pages) : linksTo()),
  }
  const { stopReason, documents } = await ended(trial)
  expect({ stopReason, fetched: documents.fetched }).toEqual({ stopReason: 'DOWNLOAD_COMPLETE', fetched: 14 })
})

const later = { body: '', status: 503, fields: ['Retry-After: 900'] }

test('a run in which all hosts are paused ends after the limit without requests', async () => {
  const { stopReason, seconds, log } = await ended(siteWith(() => later, { maxInactiveSeconds: 60 }))
  expect(stopReason).toBe('DOWNLOAD_UNFINISHED')
  expect(seconds).toBeLessThan(120)
  expect(log).toContain('no request was in progress for longer than the limit')
})

test('without a limit the pause is waited for', async () => {
  const { stopReason, seconds } = await ended(siteWith(() => later, {}))
  expect(stopReason).toBe('DOWNLOAD_COMPLETE')
  expect(seconds).toBeGreaterThan(100)
})

test('time in which the machine is suspended does not count', async () => {
  const trial = siteWith(
    () => undefined,
    { maxNoResponseSeconds: 60, maxInactiveSeconds: 60 },
    { delayMs: 5 * secondMs },
  )
  const { stopReason } = await ended(trial, async ({ world, sleep }) => {
    await sleep(secondMs)
    world.suspend(3 * 3_600_000)
  })
  expect(stopReason).toBe('DOWNLOAD_COMPLETE')
})

test.each([40, 120, 300])('a run that was killed after %i calls ends after the limit, too', async (calls) => {
  const trial = siteWith(() => never, { maxNoResponseSeconds: 60 })
  const found = await lived({ ...trial, cutsAfterCalls: [calls] }, ({ until }) => until(/^INACTIVE$/))
  const { stopReason, started } = jobSummary.parse(found.jobs.summary(found.job))
  expect({ stopReason, isStarted: started !== null }).toEqual({ stopReason: 'DOWNLOAD_UNFINISHED', isStarted: true })
})
