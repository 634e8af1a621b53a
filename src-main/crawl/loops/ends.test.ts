/** The whole engine with rare ends of a job: a restarted dry run, a server that stays unavailable until the job is given up, and a
 *  deletion while the output connector is not installed. */
import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import { openConnectors } from '../capture/connectors/installed.ts'
import { linksTo, lived, noRules, reasonTextOf, secondMs, type EngineTrial } from './testing/engineFixture.ts'

const paths = Array.from({ length: 20 }, (_, number) => `/${number}`)
const site: EngineTrial = {
  seed: 1,
  answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo(...paths) : linksTo()),
  definition: { seeds: ['http://site.test/'] },
  settings: { delayMs: secondMs },
}
const seeds = ['http://site.test/']

test('a dry run is restarted, and neither of its runs stores anything', async () => {
  const definition = { seeds, connectors: { output: 'null' } }
  const found = await lived({ ...site, definition }, async ({ jobs, job, sleep, until, world }) => {
    await until(/^ACTIVE$/)
    while (jobs.summary(job).documents.fetched < 5) await sleep(secondMs)
    expect(jobs.act(job, 'restart')).toMatchObject({ to: 'ABORTINGFORRESTART' })
    // A second request to restart changes nothing.
    expect(jobs.act(job, 'restartMinimal')).toMatchObject({ to: 'ABORTINGFORRESTART' })
    await until(/^ACTIVE$/)
    await until(/^INACTIVE$/)
    expect(await world.disk.list(`/archive/jobs/${job}`)).toEqual([])
    expect((await world.disk.list('/replicas/one')).filter(({ name }) => !name.startsWith('.'))).toEqual([])
  })
  const pages = found.asked.filter(({ path }) => path !== '/robots.txt').map(({ path }) => path)
  // The second run requests everything in full, since nothing was stored.
  for (const path of paths) expect(pages.filter((each) => each === path).length, path).toBeGreaterThan(0)
  expect(pages.filter((path) => path === '/')).toHaveLength(2)
  const { status, stopReason, documents, reason } = found.jobs.summary(found.job)
  expect({ status, stopReason, reason }).toEqual({ status: 'Done', stopReason: 'DOWNLOAD_COMPLETE', reason: null })
  expect(documents).toMatchObject({ fetched: paths.length + 2, total: paths.length + 2, failed: 0 })
  expect(found.log()).toContain('Run 2 started with 1 seed.')
  expect(found.problems).toEqual([])
})

const recheck = { patience: 'long', onHardFailure: 'abort' }

test('a job is given up with a reason when a server stays unavailable, and can be started again', async () => {
  let isAway = true
  // The connection is closed: quick retries for seconds, then three more, five minutes apart.
  const answer = (path: string) =>
    path === '/away' && isAway ? undefined : path === '/' ? linksTo('/away', '/0') : noRules
  const found = await lived({ ...site, answer, definition: { seeds, recheck } }, async (life) => {
    const { jobs, job, until } = life
    await until(/^ACTIVE$/)
    await until(/^INACTIVE$/)
    expect(life.sinceMs()).toBeGreaterThan(600 * secondMs)
    const { status, stopReason, reason } = jobs.summary(job)
    expect({ status, stopReason }).toEqual({ status: 'Error', stopReason: 'DOWNLOAD_UNFINISHED' })
    expect(reason && textOf(reason)).toMatch(
      /^http:\/\/site\.test\/away: .* for longer than this harvest waits\. Everything fetched so far is kept/,
    )
    // The captures are in the archive, and the reason is kept until the next start.
    isAway = false
    jobs.act(job, 'start')
    expect(jobs.summary(job).reason).toBeNull()
    await until(/^ACTIVE$/)
    await until(/^INACTIVE$/)
  })
  expect(found.jobs.summary(found.job)).toMatchObject({ status: 'Done', reason: null, documents: { failed: 0 } })
  const tries = found.asked.filter(({ path }) => path === '/away').map(({ atMs }) => atMs)
  expect(tries.filter((atMs, index) => index > 0 && atMs - (tries[index - 1] ?? 0) > 290 * secondMs)).toHaveLength(3)
})

test('a deletion waits while its output connector is not installed, and ends when it is back', async () => {
  const trial = { ...site, settings: { delayMs: 0 } }
  let lives = 0
  const found = await lived(
    { ...trial, cutsAfterCalls: [Infinity] },
    async ({ jobs, job, store, sleep, until, world }) => {
      lives += 1
      await until(/^INACTIVE$/)
      while (jobs.summary(job).ended === null) await sleep(secondMs)
      const connectors = openConnectors(store)
      const documents = () => jobs.documents({ job, offset: 0, limit: 100 }).total
      const before = documents()
      const files = (await world.disk.list('/replicas/one')).map(({ name }) => name).toSorted()
      connectors.deinstall('archive')
      jobs.act(job, 'delete')
      await until(/^DELETING_NOOUTPUT$/)
      expect(reasonTextOf(jobs.summary(job))).toMatch(/"Archive" is not installed\. Install it/)
      // Nothing is removed while it waits.
      await sleep(60 * secondMs)
      expect(jobs.summary(job).state).toBe('DELETING_NOOUTPUT')
      expect(documents()).toBe(before)
      for (const action of ['abort', 'start', 'pause'] as const)
        expect(() => jobs.act(job, action)).toThrow(/cannot be/)
      connectors.install('archive')
      while (jobs.known(job) !== undefined) await sleep(secondMs)
      expect((await world.disk.list('/replicas/one')).map(({ name }) => name).toSorted()).toEqual(files)
    },
  )
  expect(lives).toBe(1)
  expect(found.problems).toEqual([])
})

test('the end of a harvest reads its file once for the checksum, once to copy it, and reads the copy back', async () => {
  let opened = 0
  await lived({ ...site, definition: { seeds } }, async ({ world, until }) => {
    await until(/^ACTIVE$/)
    const { openRead } = world.disk
    world.disk.openRead = (path) => {
      if (/\.warc\.gz$/.test(path) && !path.includes('metadata')) opened += 1
      return openRead(path)
    }
    await until(/^INACTIVE$/)
  })
  expect(opened).toBe(3)
})
