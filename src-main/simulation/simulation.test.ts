/** Runs scenarios with fixed seeds, so that every change meets power cuts, disk faults and actions of users; `npm run simulate` runs more. Also
 *  tests the invariants themselves: each is given something broken and must report it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realWorld } from '../world/real.ts'
import { isWhole, sampleSeed } from '../world/testing/sample.ts'
import { seededChance } from '../world/testing/seededChance.ts'
import { seededWorld, type SeededWorld } from '../world/testing/seeded.ts'
import type { World } from '../world/world.ts'
import { likeUndisturbed } from './comparison.ts'
import { everyEvent } from './coverage.ts'
import { survival } from './invariants.ts'
import type { HarnessRun } from './harness.ts'
import { politenessCheckOf } from './politenessCheck.ts'
import { drawHarvestOptions, undisturbed } from './plan.ts'
import { drawSite, type Host, type Site } from './site.ts'
import { serveSite } from './siteServer.ts'
import { harvest, runScenario } from './scenario.ts'
import type { ScenarioResult } from './scenario.thread.ts'
import { runMany } from './runMany.ts'

const scenariosMax = 200
const scenariosCount = isWhole ? scenariosMax : 25
const first = isWhole ? 1 : 1 + (sampleSeed % (scenariosMax - scenariosCount + 1))
const seeds = Array.from({ length: scenariosCount }, (_, index) => first + index)

describe('scenarios', () => {
  const results = new Map<number, PromiseWithResolvers<ScenarioResult>>(
    seeds.map((seed) => [seed, Promise.withResolvers<ScenarioResult>()]),
  )
  beforeAll(() => {
    const all = runMany(realWorld(), { first, count: scenariosCount }, (scenario) =>
      results.get(scenario.seed)?.resolve(scenario),
    )
    all.catch((error: unknown) => {
      for (const { reject } of results.values()) reject(error)
    })
  })

  test.each(seeds)('scenario %i', async (seed) => {
    expect((await results.get(seed)?.promise)?.violations).toEqual([])
  })

  test.runIf(isWhole)('every kind of event occurs in them', async () => {
    const scenarios = await Promise.all([...results.values()].map(({ promise }) => promise))
    const events = new Set(scenarios.flatMap((scenario) => scenario.events))
    expect(everyEvent.filter((each) => !events.has(each))).toEqual([])
    const sum = (count: (scenario: ScenarioResult) => number) =>
      scenarios.reduce((total, scenario) => total + count(scenario), 0)
    expect(sum(({ machines }) => machines)).toBeGreaterThan(2 * seeds.length)
    expect(sum(({ captures }) => captures)).toBeGreaterThan(20 * seeds.length)
  })
})

// Seeds that once failed: clocks set back at the worst moment, rules removed, a seed that redirects elsewhere, a stop while files were being
// stored, a full or closed disk when the reports of a run were written, a budget removed when a document was to be skipped.
test.each([10, 216, 695, 765, 1672, 2263, 2289, 2349, 2475, 2779, 3110, 3496, 3796, 4022, 4677, 5220])(
  'scenario %i, which once failed',
  async (seed) => {
    expect((await runScenario(seed, { order: 'asFetched' })).violations).toEqual([])
  },
)

// In scheduled order: rules of a host in an early result, two answers to a number, a place left empty at a stop, a budget set during the run.
test.each([12, 237, 243, 258])('scenario %i in scheduled order, which once failed', async (seed) => {
  expect((await runScenario(seed, { order: 'scheduled' })).violations).toEqual([])
})

test('a scenario is reproducible', async () => {
  const one = await runScenario(9)
  expect(await runScenario(9)).toEqual(one)
})

describe('the invariants', () => {
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'loupe-invariants-'))
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const files = (world: SeededWorld, replica: string) => world.disk.list(`/replicas/${replica}`)
  const warcOf = async ({ world }: HarnessRun, replica: string) => {
    const entry = (await world.run(files(world, replica))).find(({ name }) => name.endsWith('.warc.gz'))
    if (!entry) throw new Error('no WARC file was stored')
    return { path: `/replicas/${replica}/${entry.name}`, bytes: entry.bytes }
  }
  const sql =
    (text: string) =>
    ({ store }: HarnessRun) =>
      void store.statement(text).run({})

  /** Runs an undisturbed harvest, then changes what it left. */
  const checked = (name: string, damage: (run: HarnessRun) => void | Promise<void>) => {
    const chance = seededChance(4)
    const site = drawSite(chance.fork())
    const options = { ...drawHarvestOptions(chance.fork()), furtherRuns: [] }
    return harvest(join(root, name), { seed: 4, site, options, plan: undisturbed }, damage)
  }

  const damages: [string, (run: HarnessRun) => void | Promise<void>, RegExp][] = [
    [
      'a bit that turned over in one replica',
      async (run) => {
        const { path, bytes } = await warcOf(run, 'one')
        run.world.disk.corrupt(path, bytes >> 1)
      },
      /times less than in the files in the first replica/,
    ],
    [
      'a missing copy',
      async (run) => run.world.run(run.world.disk.remove((await warcOf(run, 'two')).path)),
      /1 times less than in the files in the first replica/,
    ],
    [
      'a leftover file',
      async ({ world, job }) => world.run(world.disk.write(`/archive/jobs/${job}/left.part`, Buffer.from('x'))),
      /left\.part was left/,
    ],
    ['a counter', sql('UPDATE job SET documents_fetched = documents_fetched + 1'), /counters of the job/],
    [
      'a capture that the table does not know',
      sql(`UPDATE document SET outcome = 'failed' WHERE id = (SELECT MAX(id) FROM document WHERE outcome = 'fetched')`),
      /1 times more than in the captures in the documents table/,
    ],
    [
      'a file that counts as not stored',
      sql('UPDATE archive_file SET stored_ms = NULL'),
      /is not stored in every replica/,
    ],
    ['a job that never ended', sql('UPDATE job SET ended_ms = NULL'), /has not ended/],
  ]
  test.each(damages)('see %s', async (name, damage, expected) => {
    const { violations } = await checked(name, damage)
    expect(violations.join('\n')).toMatch(expected)
  })

  test('detect a page too many, and a duplicate page', async () => {
    const { urls, violations } = await checked('more', () => undefined)
    expect(violations).toEqual([])
    const first = urls[0] ?? ''
    expect(likeUndisturbed(urls, urls)).toEqual([])
    expect(likeUndisturbed(urls, [...urls, 'http://www.museum.test/more'])).toHaveLength(1)
    expect(likeUndisturbed([...urls, first], urls)).toEqual([
      `${first} is there 1 times more than in the captures of an undisturbed run.`,
    ])
  })

  test('detect at the start of a machine what the previous one lost', async () => {
    const found = await checked('survival', async (run) => {
      const survived = survival()
      expect(await survived(run)).toEqual([])
      await run.world.run(run.world.disk.remove((await warcOf(run, 'one')).path))
      sql(`UPDATE document SET outcome = 'failed' WHERE outcome = 'fetched' AND role = 'robots'`)(run)
      const violations = await survived(run)
      expect(violations.join('\n')).toMatch(/was fetched and is no longer/)
      expect(violations.join('\n')).toMatch(/counts as completed and has the checksum of nothing/)
    })
    expect(found.violations).not.toEqual([])
  })
})

describe('politeness', () => {
  const page = { mediaType: 'text/html', body: 'x', status: 200, fault: { kind: 'none' } } as const
  const host: Host = {
    origin: 'http://a.test',
    name: 'a.test',
    port: 80,
    tls: false,
    trouble: 'none',
    framing: 'length',
    answersPerConnection: 9,
    pages: new Map([
      ['/', page],
      ['/private/', page],
      ['/robots.txt', page],
    ]),
    robotsText: 'User-agent: *\nDisallow: /private/',
    isClosed: false,
  }
  const site: Site = { hosts: [host], seeds: ['http://a.test/'], scope: 'host' }

  async function ask(world: World, path: string): Promise<void> {
    const target = { host: 'a.test', port: 80, tls: false, connectMsMax: 1_000, privateAllowed: true }
    const connection = await world.network.connect(target)
    await connection.write(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`))
    await connection.read()
    connection.close()
  }

  const rows: [string, (world: World) => Promise<unknown>, RegExp | undefined][] = [
    [
      'good ones',
      async (world) => {
        await ask(world, '/robots.txt')
        await world.clock.sleep(1_001)
        await ask(world, '/')
      },
      undefined,
    ],
    ['no robots.txt', (world) => ask(world, '/'), /before its robots\.txt/],
    [
      'a forbidden path',
      async (world) => {
        await ask(world, '/robots.txt')
        await world.clock.sleep(1_001)
        await ask(world, '/private/')
      },
      /forbids/,
    ],
    [
      'no pause',
      async (world) => {
        await ask(world, '/robots.txt')
        await ask(world, '/')
      },
      /instead of 1000 ms/,
    ],
    [
      'two at once',
      (world) => Promise.all([ask(world, '/robots.txt'), ask(world, '/robots.txt')]),
      /2 connections at once/,
    ],
  ]
  test.each(rows)('%s', async (_, act, expected) => {
    const world = seededWorld({ seed: 1 })
    serveSite(site, world.network, () => world.clock)
    const politeness = politenessCheckOf(site, { connectionsPerHost: 1, delayMs: 1_000, robotsToken: 'Loupe' })
    await world.run(act(politeness.over(world)))
    const violations = politeness.violations().join('\n')
    if (expected) expect(violations).toMatch(expected)
    else expect(violations).toBe('')
  })
})
