/** Ordered runs of the whole crawl engine on simulated machines, with servers that answer after random times. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { openStore } from '../../storage/storage.ts'
import { seededChance } from '../../world/testing/seededChance.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openJobs } from '../crawl.ts'
import { task } from '../crawl.thread.ts'
import { engineInput, filesIn, recordsIn, serveSite, type Site } from './testing/orderedSite.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-order-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  seed: number
  order?: 'scheduled' | 'asFetched'
  /** Calls after which the power of each machine is cut. */
  cuts?: number[]
  silentOnce?: string[]
  busyOnce?: string[]
  maxObjects?: number
  /** Pauses the job at this time, and resumes or aborts it a minute later. */
  pausedAtMs?: number
  isAborted?: boolean
  isDry?: boolean
  connectionsPerHost?: number
  silenceMsMax?: number
}

interface Harvested {
  /** `type URL` of each record of the WARC files, in their order. */
  records: string[]
  fetched: number
  log: string[]
  /** Early results in files during the pause. */
  early: number
  leftNumbers: number
  leftFiles: string[]
}

async function harvested(run: Run): Promise<Harvested> {
  let world = seededWorld({ seed: run.seed })
  const site: Site = {
    ...{ chance: seededChance(run.seed), delayMsMax: 300, clock: () => world.clock },
    silentOnce: new Set(run.silentOnce),
    busyOnce: new Set(run.busyOnce),
  }
  serveSite(world, site)
  const databasePath = join(folder, `${crypto.randomUUID()}.db`)
  const store = openStore(databasePath)
  const { order = 'scheduled', maxObjects, connectionsPerHost = 4, silenceMsMax = 30_000 } = run
  const definition = { seeds: ['http://a.test/'], scope: 'any', order, delayMs: 0, connectionsPerHost, workers: 6 }
  const job = openJobs(store, world).create(
    harvestDefinition.parse({
      ...{ ...definition, ...(maxObjects !== undefined && { maxObjects }) },
      ...(run.isDry && { connectors: { output: 'null' } }),
    }),
  )
  const input = engineInput(databasePath, { silenceMsMax })
  let early = 0
  const session = async () => {
    const stop = new AbortController()
    const engine = task({ world, report: () => undefined, signal: stop.signal, takePrinted: () => '' }, input)
    const jobs = openJobs(store, world)
    if (run.pausedAtMs !== undefined) {
      await world.clock.sleep(run.pausedAtMs)
      jobs.act(job, 'pause')
      await world.clock.sleep(60_000)
      early = (await world.disk.list(`/archive/jobs/${job}`)).filter(({ name }) => name.endsWith('.early')).length
      await damageEarly(world, `/archive/jobs/${job}`)
      jobs.act(job, run.isAborted ? 'abort' : 'resume')
    }
    do await world.clock.sleep(1_000)
    while (jobs.summary(job).state !== 'INACTIVE')
    stop.abort()
    await engine
  }
  for (const cut of [...(run.cuts ?? []), Infinity]) {
    if ((await world.runUntilCut(session(), cut)) !== undefined) break
    world = world.crash()
  }
  const jobs = openJobs(store, world)
  const result = {
    early,
    records: await world.run(recordsIn(world)),
    fetched: jobs.summary(job).documents.fetched,
    log: jobs.log(job, 0, 1_000).map(({ message }) => message.code),
    leftNumbers:
      store.statement<object, { count: number }>(`SELECT COUNT(*) AS count FROM commit_number`).get({})?.count ?? 0,
    leftFiles: await world.run(filesIn(world, [`/archive/jobs/${job}`, '/archive/quarantine'])),
  }
  store.close()
  return result
}

/** Changes a byte of the first early result. */
async function damageEarly({ disk }: SeededWorld, jobFolder: string): Promise<void> {
  const [first] = (await disk.list(jobFolder)).filter(({ name }) => name.endsWith('.early'))
  if (!first) return
  const path = `${jobFolder}/${first.name}`
  const bytes = Uint8Array.from(await disk.read(path, 1_000_000))
  bytes[20] = (bytes[20] ?? 0) ^ 1
  await disk.write(path, bytes)
}

/** A run without disturbances. Simulated machines run one after the other. */
let whole: Harvested
beforeAll(async () => {
  whole = await harvested({ seed: 1 })
})

describe('servers that answer after random times', () => {
  test.each([2, 3, 4])('records have the same order: seed %i', async (seed) => {
    const { records, fetched, leftNumbers, leftFiles } = await harvested({ seed })
    expect(fetched).toBeGreaterThan(50)
    expect(records).toEqual(whole.records)
    expect(leftNumbers).toBe(0)
    expect(leftFiles).toEqual([])
  })

  test('as fetched, the order differs, with the same documents', async () => {
    const [one, other] = [
      await harvested({ seed: 1, order: 'asFetched' }),
      await harvested({ seed: 2, order: 'asFetched' }),
    ]
    expect(one.records).not.toEqual(other.records)
    expect(one.records.toSorted()).toEqual(whole.records.toSorted())
  })

  test.each([5, 6, 7, 8])('power cuts change nothing: seed %i', async (seed) => {
    const chance = seededChance(seed)
    const cuts = Array.from({ length: 6 }, () => 100 + chance.below(900))
    const { records, leftNumbers, leftFiles } = await harvested({ seed, cuts })
    expect(records).toEqual(whole.records)
    expect(leftNumbers).toBe(0)
    expect(leftFiles).toEqual([])
  })

  test('early results wait in files during a pause, and one that is damaged is fetched again', async () => {
    const found: number[] = []
    for (const pausedAtMs of [900, 1_100, 1_300, 1_500]) {
      const { records, early, leftNumbers, leftFiles } = await harvested({ seed: pausedAtMs, pausedAtMs })
      expect(records).toEqual(whole.records)
      expect([leftNumbers, leftFiles]).toEqual([0, []])
      found.push(early)
    }
    expect(Math.max(...found)).toBeGreaterThan(1)
  })

  test('a dry run in scheduled order, with a pause, fetches the same', async () => {
    const { fetched, leftNumbers, leftFiles } = await harvested({
      ...{ seed: 13, isDry: true, pausedAtMs: 1_300 },
    })
    expect([fetched, leftNumbers, leftFiles]).toEqual([whole.fetched, 0, []])
  })

  test('an aborted job leaves no early results behind', async () => {
    const { early, fetched, leftFiles } = await harvested({ seed: 1_300, pausedAtMs: 1_300, isAborted: true })
    expect(early).toBeGreaterThan(0)
    expect(fetched).toBeLessThan(whole.fetched)
    expect(leftFiles).toEqual([])
  })

  test('a document that is tried again keeps its place', async () => {
    const busyOnce = ['a.test/', 'b.test/1/', 'c.test/2/']
    expect((await harvested({ seed: 9, busyOnce })).records).toEqual(whole.records)
  })

  test('a request without answer is sent again, and what comes after it waits', async () => {
    const { records, log } = await harvested({ seed: 10, silentOnce: ['a.test/0/'], silenceMsMax: 90_000 })
    expect(records).toEqual(whole.records)
    expect(log).toContain('jobLog.order.again')
  })

  test('a host with one connection: the answer is waited for', async () => {
    const { records, log } = await harvested({
      ...{ seed: 10, silentOnce: ['a.test/0/'], silenceMsMax: 90_000, connectionsPerHost: 1 },
    })
    expect(records).toEqual(whole.records)
    expect(log).not.toContain('jobLog.order.again')
  })

  test('a limit of objects is kept, with the first documents of the order', async () => {
    const { records, fetched } = await harvested({ seed: 11, maxObjects: 20 })
    expect(fetched).toBe(20)
    expect(records).toEqual(whole.records.slice(0, records.length))
  })
})
