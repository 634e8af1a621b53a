/** Stories with fixed seeds, so that every change meets cuts, refusing disks and impatient people; `npm run simulate` tells as
 *  many more as there is time for. And what the judges are worth: each is shown something broken, and has to say so. */
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
import { everyHappening } from './happenings.ts'
import { survival } from './invariants.ts'
import type { Life } from './life.ts'
import { mannersAt } from './manners.ts'
import { drawManner, undisturbed } from './plan.ts'
import { drawSite, type Host, type Site } from './site.ts'
import { serveSite } from './siteServer.ts'
import { harvest, tell } from './story.ts'
import type { StoryTold } from './tell.thread.ts'
import { tellMany } from './tellMany.ts'

const storiesMax = 200
const storiesCount = isWhole ? storiesMax : 40
const first = isWhole ? 1 : 1 + (sampleSeed % (storiesMax - storiesCount + 1))
const seeds = Array.from({ length: storiesCount }, (_, index) => first + index)

describe('stories', () => {
  const told = new Map<number, PromiseWithResolvers<StoryTold>>(
    seeds.map((seed) => [seed, Promise.withResolvers<StoryTold>()]),
  )
  beforeAll(() => {
    const all = tellMany(realWorld(), { first, count: storiesCount }, (story) => told.get(story.seed)?.resolve(story))
    all.catch((error: unknown) => {
      for (const { reject } of told.values()) reject(error)
    })
  })

  test.each(seeds)('story %i', async (seed) => {
    expect((await told.get(seed)?.promise)?.complaints).toEqual([])
  })

  test.runIf(isWhole)('everything that there is happens in them', async () => {
    const stories = await Promise.all([...told.values()].map(({ promise }) => promise))
    const happenings = new Set(stories.flatMap((story) => story.happenings))
    expect(everyHappening.filter((each) => !happenings.has(each))).toEqual([])
    const sum = (count: (story: StoryTold) => number) => stories.reduce((total, story) => total + count(story), 0)
    expect(sum(({ machines }) => machines)).toBeGreaterThan(2 * seeds.length)
    expect(sum(({ captures }) => captures)).toBeGreaterThan(20 * seeds.length)
  })
})

// Clocks set back in the worst moment, rules taken back, a seed that leads somewhere else, a stop while files were being stored, a disk
// that was full when the account of a run was to be written.
test.each([216, 695, 765, 2263, 2289, 2349, 2475, 2779, 3110, 3496, 4022, 4677])(
  'story %i, which once went wrong',
  async (seed) => {
    expect((await tell(seed)).complaints).toEqual([])
  },
)

test('a story told twice is the same', async () => {
  const one = await tell(9)
  expect(await tell(9)).toEqual(one)
})

describe('the judges', () => {
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'loupe-judges-'))
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const files = (world: SeededWorld, replica: string) => world.disk.list(`/replicas/${replica}`)
  const warcOf = async ({ world }: Life, replica: string) => {
    const entry = (await world.run(files(world, replica))).find(({ name }) => name.endsWith('.warc.gz'))
    if (!entry) throw new Error('no WARC file was stored')
    return { path: `/replicas/${replica}/${entry.name}`, bytes: entry.bytes }
  }
  const sql =
    (text: string) =>
    ({ store }: Life) =>
      void store.statement(text).run({})

  /** An undisturbed harvest; then something is done to what it left. */
  const judged = (name: string, meddle: (life: Life) => void | Promise<void>) => {
    const chance = seededChance(4)
    const site = drawSite(chance.fork())
    const manner = { ...drawManner(chance.fork()), furtherRuns: [] }
    return harvest(join(root, name), { seed: 4, site, manner, plan: undisturbed }, meddle)
  }

  const meddlings: [string, (life: Life) => void | Promise<void>, RegExp][] = [
    [
      'a bit that turned over in one replica',
      async (life) => {
        const { path, bytes } = await warcOf(life, 'one')
        life.world.disk.corrupt(path, bytes >> 1)
      },
      /times less than in the files in the first replica/,
    ],
    [
      'a copy that is gone',
      async (life) => life.world.run(life.world.disk.remove((await warcOf(life, 'two')).path)),
      /1 times less than in the files in the first replica/,
    ],
    [
      'a file that was left behind',
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
  test.each(meddlings)('see %s', async (name, meddle, expected) => {
    const { complaints } = await judged(name, meddle)
    expect(complaints.join('\n')).toMatch(expected)
  })

  test('see a page more than was captured, and a page twice', async () => {
    const { urls, complaints } = await judged('more', () => undefined)
    expect(complaints).toEqual([])
    const first = urls[0] ?? ''
    expect(likeUndisturbed(urls, urls)).toEqual([])
    expect(likeUndisturbed(urls, [...urls, 'http://www.museum.test/more'])).toHaveLength(1)
    expect(likeUndisturbed([...urls, first], urls)).toEqual([
      `${first} is there 1 times more than in the captures of an undisturbed run.`,
    ])
  })

  test('see at the start of a machine what the one before has lost', async () => {
    const found = await judged('survival', async (life) => {
      const survived = survival()
      expect(await survived(life)).toEqual([])
      await life.world.run(life.world.disk.remove((await warcOf(life, 'one')).path))
      sql(`UPDATE document SET outcome = 'failed' WHERE outcome = 'fetched' AND role = 'robots'`)(life)
      const complaints = await survived(life)
      expect(complaints.join('\n')).toMatch(/was fetched and is no longer/)
      expect(complaints.join('\n')).toMatch(/counts as completed and has the checksum of nothing/)
    })
    expect(found.complaints).not.toEqual([])
  })
})

describe('manners', () => {
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
      'a path that is forbidden',
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
    const manners = mannersAt(site, { connectionsPerHost: 1, delayMs: 1_000, robotsToken: 'Loupe' })
    await world.run(act(manners.over(world)))
    const complaints = manners.complaints().join('\n')
    if (expected) expect(complaints).toMatch(expected)
    else expect(complaints).toBe('')
  })
})
