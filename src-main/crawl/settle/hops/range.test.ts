/** Harvests of random sites without a network: documents are claimed and settled in any order, and the harvested set equals that
 *  of a search of the whole site. */
import { claimsOf } from '../../frontier/testing/frontierFixture.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harvestDefinition, type HarvestDefinition } from '../../../contract/services/definition.ts'
import { recheckOnce } from '../../../contract/shapes/recheck.ts'
import { openStore } from '../../../storage/storage.ts'
import { seededWorld } from '../../../world/testing/seeded.ts'
import { committerOf } from '../../run/committer.ts'
import type { Result } from '../result.ts'
import type { Output } from '../../capture/connectors/connector.ts'
import { type Outlink, linkTypeOf } from '../../model/outlink.ts'
import { openFrontier } from '../../frontier/frontier.ts'
import { keyOf } from '../../model/urlKeys.ts'
import { frontierStatements } from '../../frontier/frontier.sql.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { openJobs } from '../../jobs/jobs.ts'
import { openHops } from './hops.ts'
import { hopLimitsOf, measures, type Measure } from '../../model/hopMeasures.ts'
import { openRange } from './range.ts'

/** A run is a whole harvest and takes 20 ms. */
const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 50)

/** URL → its links. */
type Site = Map<number, Outlink[]>
const pages = 9
const urlOf = (page: number) => `http://a.test/${page}`
const seeds = [urlOf(0)]

const store = openStore(':memory:')
const world = seededWorld({ seed: 1 })
const jobs = openJobs(store, world)

/** An output that stores nothing. */
const output: Output = {
  prepare: () => Promise.reject(new Error('nothing is prepared here')),
  keep: async (records) => records.map(() => null),
  commit: () => undefined,
  abandon: async () => undefined,
  close: async () => undefined,
}

interface Run {
  complete: string[]
  tooFar: string[]
  distances: Record<string, number>
  counts: { total: number; fetched: number; excluded: number }
}

/** Harvests a site. `chances` decides the order of the answers. After `killedAfter` turns the engine is killed: documents in progress
 *  are queued again, and another engine continues. */
async function harvest(site: Site, given: object, chances: number[], { killedAfter = Infinity } = {}): Promise<Run> {
  const definition = harvestDefinition.parse({ seeds, ...given })
  const job = jobs.create(definition)
  const claim = claimsOf(store, job)
  let machine = machineOf(job, definition)
  store.transaction(() => {
    const found = seeds.map((url) => ({ url, role: 'page' as const, hopPath: '', hops: 0, via: null }))
    frontierStatements(store).count.run({ job, ...machine.frontier.discover(found, 0).counts })
    machine.range?.setSeeds(seeds)
  })
  machine.committer.follow()
  let inProgress: DocumentToFetch[] = []
  for (let turn = 0; ; turn += 1) {
    const chance = chances[turn % chances.length] ?? 0
    if (turn === killedAfter) {
      machine.frontier.release()
      machine = machineOf(job, definition)
      machine.committer.follow()
      inProgress = []
    }
    inProgress.push(...claim({ limit: 1 + (chance % 3) }))
    if (inProgress.length === 0) break
    const back = inProgress.splice(chance % inProgress.length, 1 + (chance % 2))
    await Promise.all(back.map((document) => machine.committer.commit(answerOf(document, job, site))))
  }
  return seen(job, definition)
}

function machineOf(job: number, definition: HarvestDefinition) {
  const frontier = openFrontier(store, job, 'ignore')
  const range = openRange(store, job, definition)
  const committer = committerOf({
    ...{ store, job, frontier, range },
    output,
    recheck: recheckOnce,
    now: () => 0,
    elapsed: () => 0,
    onCommitted: () => undefined,
  })
  return { frontier, range, committer }
}

const host = store.statement<{ job: number }, { id: number }>('SELECT id FROM host WHERE job_id = @job')
const hostOf = (job: number) => host.get({ job })?.id ?? 0

function answerOf(document: DocumentToFetch, job: number, site: Site): Result {
  const links = site.get(pageOf(document.url)) ?? []
  return {
    ...{ kind: 'fetched', document, host: hostOf(job) },
    records: {
      kind: 'response',
      id: 'urn:uuid:1',
      capture: null,
      response: [],
      others: [],
      payloadDigest: `sha1:${document.url}`,
      namedDigest: `sha1:${document.url}`,
      count: 2,
    },
    ...{
      status: 200,
      mediaType: 'text/html',
      bytes: 10,
      contentBytes: 10,
      truncated: null,
      fetchedMs: 0,
      durationMs: 1,
      detail: null,
    },
    candidates: links.map(({ url }) => ({
      ...{ url, role: 'page', via: document.id, hopPath: `${document.hopPath}L`, hops: document.hops + 1 },
    })),
    links,
    release: async () => undefined,
  }
}

const pageOf = (url: string) => Number(url.slice(url.lastIndexOf('/') + 1))

const rows = store.statement<{ job: number }, { url: string; state: string; outcome: string }>(
  'SELECT url, state, outcome FROM document WHERE job_id = @job ORDER BY url',
)

function seen(job: number, definition: HarvestDefinition): Run {
  const all = rows.all({ job })
  const limits = hopLimitsOf(definition) ?? new Map<Measure, number>()
  const hops = openHops({ store, job, mode: 'accurate', limits })
  const { total, fetched, excluded } = jobs.summary(job).documents
  return {
    complete: all.filter(({ state, outcome }) => state === 'COMPLETE' && outcome === 'fetched').map(({ url }) => url),
    tooFar: all.filter(({ state }) => state === 'HOPCOUNTREMOVED').map(({ url }) => url),
    distances: Object.fromEntries(
      [...limits.keys()].flatMap((measure) =>
        all.map(({ url }) => [`${measure} ${url}`, hops.distance(keyOf(url), measure)]),
      ),
    ),
    counts: { total, fetched, excluded },
  }
}

/** The documents within the limits, by a search of the whole site that is repeated until nothing changes. */
function expected(site: Site, definition: object): { complete: string[]; tooFar: string[] } {
  const limits = hopLimitsOf(harvestDefinition.parse({ seeds, ...definition })) ?? new Map<Measure, number>()
  const best = new Map([...limits.keys()].map((measure) => [measure, new Map(seeds.map((url) => [url, 0]))]))
  const isNear = (url: string) =>
    [...limits].every(([measure, most]) => (best.get(measure)?.get(url) ?? Infinity) <= most)
  const isFound = (url: string) => [...best.values()].some((known) => known.has(url))
  for (let round = 0; round < pages * 2; round += 1) {
    for (const [page, links] of site) {
      if (!isFound(urlOf(page)) || !isNear(urlOf(page))) continue
      for (const { url, kind } of links) {
        for (const [measure, known] of best) {
          const counted: readonly string[] = measures[measure]
          const way = (known.get(urlOf(page)) ?? Infinity) + (counted.includes(linkTypeOf[kind]) ? 1 : 0)
          known.set(url, Math.min(way, known.get(url) ?? Infinity))
        }
      }
    }
  }
  const found = new Set([...best.values()].flatMap((known) => [...known.keys()]))
  const sorted = [...found].sort()
  return { complete: sorted.filter(isNear), tooFar: sorted.filter((url) => !isNear(url)) }
}

const drawnLink = fc.record({
  url: fc.nat(pages - 1).map(urlOf),
  kind: fc.constantFrom('navigation', 'navigation', 'embed', 'redirect', 'sitemap'),
}) as fc.Arbitrary<Outlink>
const drawnSite: fc.Arbitrary<Site> = fc
  .array(fc.array(drawnLink, { maxLength: 4 }), { minLength: pages, maxLength: pages })
  .map((all) => new Map(all.map((links, page) => [page, links.filter(({ url }) => pageOf(url) !== page)])))
const drawnLimits = fc.constantFrom<object>(
  { maxHops: 0 },
  { maxHops: 1 },
  { maxHops: 2 },
  { hops: { limits: { link: 1 } } },
  { maxHops: 3, hops: { limits: { redirect: 1 } } },
  { hops: { limits: { embed: 1, link: 2 }, mode: 'neverDelete' } },
  { maxHops: 2, hops: { mode: 'noDelete' } },
  { hops: {} },
)
const order = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 })

describe('the harvested set', () => {
  test('is that within the limits, whatever the order of the answers', async () => {
    await fc.assert(
      fc.asyncProperty(drawnSite, drawnLimits, order, order, async (site, limits, one, other) => {
        const first = await harvest(site, limits, one)
        const { complete, tooFar } = expected(site, limits)
        expect({ complete: first.complete, tooFar: first.tooFar }).toEqual({ complete, tooFar })
        const counts = { total: complete.length + tooFar.length, fetched: complete.length, excluded: tooFar.length }
        expect(first.counts).toEqual(counts)
        expect(await harvest(site, limits, other)).toEqual(first)
      }),
      { numRuns },
    )
  })

  test('is the same after a kill of the engine', async () => {
    await fc.assert(
      fc.asyncProperty(drawnSite, drawnLimits, order, fc.nat(8), async (site, limits, chances, killedAfter) => {
        const killed = await harvest(site, limits, chances, { killedAfter })
        expect(killed).toEqual(await harvest(site, limits, chances))
      }),
      { numRuns },
    )
  })
})

const written = store.statement<{ job: number }, { rows: number }>(
  'SELECT COUNT(*) AS rows FROM hop_node WHERE job_id = @job',
)

test('a harvest without hop limits records no links', async () => {
  const job = jobs.create(harvestDefinition.parse({ seeds }))
  expect(openRange(store, job, harvestDefinition.parse({ seeds }))).toBeUndefined()
  expect(written.get({ job })).toEqual({ rows: 0 })
})
