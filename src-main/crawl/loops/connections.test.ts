/** The whole engine with jobs that share named connections: the bound of a connection and its throttles apply to all of its jobs together,
 *  and a change is in force at the next document. */
import { expect, test } from 'vitest'
import { connectionInput } from '../../contract/services/connections.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openConnections } from '../connections/connections.ts'
import { linksTo, lived, secondMs, type EngineTrial, type Life, type Lived } from './testing/engineFixture.ts'

const answerMs = 300
const pagesOfJob = 12

/** A site of two parts, one for each job. It records how many requests were in flight at the same time. */
function slowSite() {
  let world: SeededWorld | undefined
  let inFlight = 0
  const most = { all: 0, since: 0 }
  const partsInOrder: string[] = []
  return {
    most,
    partsInOrder,
    enter: (life: Life) => void (world = life.world),
    answer: async (path: string) => {
      inFlight += 1
      most.all = Math.max(most.all, inFlight)
      most.since = Math.max(most.since, inFlight)
      partsInOrder.push(path.slice(1, 2))
      await world?.clock.sleep(answerMs)
      inFlight -= 1
      const isSeed = path.endsWith('/')
      return isSeed ? linksTo(...Array.from({ length: pagesOfJob }, (_, at) => `${path}${at}`)) : linksTo()
    },
  }
}

/** Many requests at once to one host, if nothing else limits them. */
const fast = { robots: 'ignore', delayMs: 0, connectionsPerHost: 8, workers: 8 }

function definitionOf(part: string, more: object = {}): object {
  return { seeds: [`http://site.test/${part}/`], scope: 'prefix', ...fast, ...more }
}

function withConnection(input: object): NonNullable<EngineTrial['fill']> {
  return (path) => {
    const store = openStore(path)
    openConnections(store, seededWorld({ seed: 1 })).add(connectionInput.parse({ name: 'Shared', ...input }))
    store.close()
  }
}

/** Runs two jobs with these connectors until both have ended. */
async function twoJobs(
  connectors: object | undefined,
  input: object,
  during: (life: Life, site: ReturnType<typeof slowSite>) => Promise<void> = async () => undefined,
): Promise<{ site: ReturnType<typeof slowSite>; found: Lived; second: number }> {
  const site = slowSite()
  const more = connectors ? { connectors } : {}
  let second = 0
  const found = await lived(
    {
      ...{ seed: 1, settings: { delayMs: 0 }, answer: site.answer, definition: definitionOf('a', more) },
      ...{ fill: withConnection(input) },
    },
    async (life) => {
      site.enter(life)
      second = life.jobs.create(harvestDefinition.parse(definitionOf('b', more)))
      await during(life, site)
      await life.until(/^INACTIVE$/)
      while (life.jobs.summary(second).state !== 'INACTIVE') await life.sleep(secondMs)
    },
  )
  expect(found.problems).toEqual([])
  for (const job of [found.job, second])
    expect(found.jobs.summary(job)).toMatchObject({ status: 'Done', documents: { fetched: pagesOfJob + 1, failed: 0 } })
  return { site, found, second }
}

const named = { repositoryConnection: 'shared' }

test('two jobs that share a connection with a maximum of one never have two requests in flight', async () => {
  const free = await twoJobs(undefined, { kind: 'repository', connectionsMax: 1 })
  expect(free.site.most.all).toBeGreaterThan(4)
  const { site } = await twoJobs(named, { kind: 'repository', connectionsMax: 1 })
  expect(site.most.all).toBe(1)
  // Neither of them waits for the end of the other.
  const half = site.partsInOrder.slice(0, pagesOfJob)
  expect(new Set(half)).toEqual(new Set(['a', 'b']))
})

test('the maximum counts over all jobs, and not for each', async () => {
  const { site } = await twoJobs(named, { kind: 'repository', connectionsMax: 3 })
  expect(site.most.all).toBe(3)
})

test('a throttle of the connection limits the host for its jobs together', async () => {
  const throttles = [{ match: '^site\\.', description: 'asked for by the owner', fetchesPerMinute: 60 }]
  const { found } = await twoJobs(named, { kind: 'repository', throttles })
  const times = found.asked.map(({ atMs }) => atMs)
  // The first request has to connect first.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual((times.length - 1) * secondMs - answerMs)
})

test('a change of the connection is in force at the next document, in the definition and in the log', async () => {
  const { site, found, second } = await twoJobs(
    named,
    { kind: 'repository', connectionsMax: 1 },
    async (life, { most }) => {
      const { jobs, job, store, world, sleep } = life
      while (jobs.summary(job).documents.fetched < 2) await sleep(answerMs)
      const connections = openConnections(store, world)
      const { jobs: changed } = connections.edit('Shared', { connectionsMax: 4 })
      expect(changed).toHaveLength(2)
      expect(most.all).toBe(1)
      most.since = 0
    },
  )
  expect(site.most.since).toBe(4)
  for (const job of [found.job, second]) {
    const log = found.jobs.log(job, 0, 100).map(({ message }) => message.code)
    expect(log).toContain('jobLog.connection.changed')
  }
})

test('changed settings are recorded with the time from which they were in effect', async () => {
  const site = slowSite()
  const definition = definitionOf('a', { connectors: named })
  const settings = { connector: 'sitemap' }
  const trial = { seed: 1, settings: { delayMs: 0 }, answer: site.answer, definition }
  const found = await lived({ ...trial, fill: withConnection({ kind: 'repository', settings }) }, async (life) => {
    site.enter(life)
    const { jobs, job, store, world, sleep } = life
    while (jobs.summary(job).documents.fetched < 1) await sleep(answerMs)
    const changedSince = '2026-01-31'
    openConnections(store, world).edit('Shared', { settings: { connector: 'sitemap', changedSince } })
    expect(jobs.show(job).definition.connectors?.repository).toEqual({ connector: 'sitemap', changedSince })
    await life.until(/^INACTIVE$/)
  })
  const held = found.store
    .statement<object, { isFromStart: number; repository: string }>(
      `SELECT from_ms IS NULL AS isFromStart, json_extract(definition, '$.connectors.repository') AS repository FROM run_definition`,
    )
    .all({})
  expect(held.map(({ isFromStart, repository }) => [isFromStart, JSON.parse(repository) as unknown])).toEqual([
    [1, { connector: 'sitemap' }],
    [0, { connector: 'sitemap', changedSince: '2026-01-31' }],
  ])
  expect(found.problems).toEqual([])
})

/** Counts the jobs that write captures at the same time. */
async function mostWriters(connectionsMax: number): Promise<number> {
  let writing = 0
  let most = 0
  await twoJobs({ outputConnection: 'Shared' }, { kind: 'output', connectionsMax }, async ({ world, sleep }) => {
    const { openWrite } = world.disk
    world.disk.openWrite = async (path, how) => {
      const file = await openWrite(path, how)
      if (path.includes('metadata') || !path.endsWith('.warc.gz.open')) return file
      const append = async (chunks: Uint8Array[]) => {
        writing += 1
        most = Math.max(most, writing)
        await sleep(answerMs)
        await file.append(chunks).finally(() => (writing -= 1))
      }
      return {
        ...file,
        append,
        get position() {
          return file.position
        },
      }
    }
  })
  return most
}

test('jobs that share an output with a maximum of one write one after the other', async () => {
  expect(await mostWriters(2)).toBe(2)
  expect(await mostWriters(1)).toBe(1)
})
