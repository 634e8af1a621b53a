/** The promises of connectors, checked for every connector in the registry. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../../contract/words/render.ts'
import { outputNames, repositoryNames } from '../../../contract/shapes/choices.ts'
import { connectorTexts, type RepositoryName } from '../../../contract/services/connectors.ts'
import { harvestDefinition, type HarvestDefinition } from '../../../contract/services/definition.ts'
import { canonicalUrl } from '../../../formats/cdx/surt.ts'
import { parseResponseHead } from '../../../formats/http/http.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import { connectionsOf } from '../fetch/connections.ts'
import { openBodyWork } from '../bodies/bodyWork.ts'
import { fetchDocument } from '../fetch/fetch.ts'
import type { Answered } from '../fetch/outcome.ts'
import type { Fetching } from '../fetch/fetching.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { defaultCrawlSettings } from '../../model/limits.ts'
import { frontierFixture } from '../../frontier/testing/frontierFixture.ts'
import { connectorModels } from '../../model/scanPlan.ts'
import type { Found } from '../../model/scope.ts'
import { spoolIn } from '../fetch/spool.ts'
import { watchOf } from '../fetch/watch.ts'
import type { RunFetching } from './connector.ts'
import { allConnectors, outputOf, repositoryOf } from './registry.ts'

const runs = { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500) }
const nowMs = Date.UTC(2026, 0, 1)

/** Per connector, a seed as a user types it, and texts that must be refused. */
const seeds: Record<RepositoryName, { good: string; bad: string[]; settings?: object }> = {
  web: { good: 'a.example', bad: ['mailto:a@a.example', 'ftp://a.example/'] },
  sitemap: { good: 'https://a.example/sitemap.xml', bad: ['mailto:a@a.example'] },
  feed: { good: 'https://a.example/feed', bad: ['feed:nothing at all', ''] },
  folder: { good: '/home/me/my papers', bad: ['papers', 'https://a.example/', 'file://server/share'] },
  module: { good: 'cms:all', bad: ['all', ''], settings: { module: '/srv/absent.mjs' } },
}

test('every name has one connector, a text and a version', () => {
  expect(allConnectors.map(({ name }) => name)).toEqual([...repositoryNames, ...outputNames])
  for (const { name, version } of allConnectors) {
    expect(version).toBeGreaterThan(0)
    expect(textOf(connectorTexts[name].does)).toMatch(/\.$/)
  }
})

describe.each(repositoryNames)('the connector %s', (name) => {
  const world = seededWorld({ seed: 1 })
  const given = harvestDefinition.parse({
    seeds: [seeds[name].good],
    connectors: { repository: { connector: name, ...seeds[name].settings } },
  })
  const connector = repositoryOf(given)
  const seed = connector.seedOf(seeds[name].good)
  const definition: HarvestDefinition = connector.inForce({ ...given, seeds: [seed] })
  const candidates = connector.seeds(definition)
  const first = documentOf(candidates[0]?.url ?? '', candidates[0]?.role ?? 'page')

  test('accepts its form of seeds and refuses others', () => {
    expect(connector.name).toBe(name)
    for (const bad of seeds[name].bad) expect(() => connector.seedOf(bad), bad).toThrow(/is not a URL|is not a folder/)
  })

  test('converts a seed to a canonical URL that stays the same when it is converted again', () => {
    expect(connector.seedOf(seed)).toBe(seed)
    expect(canonicalUrl(seed)).toBe(seed)
    expect(connector.nameOf([seed])).not.toBe('')
    expect(connector.nameOf([seed, connector.seedOf(`${seeds[name].good}2`)])).toMatch(/^.+/)
  })

  test('starts with its seeds, at 0 hops and without a referring document', () => {
    expect(candidates).toMatchObject([{ url: seed, hops: 0, hopPath: '', via: null }])
  })

  test('keeps seeds and patterns of a definition, and changes nothing when it is applied again', () => {
    expect(connector.inForce(definition)).toEqual(definition)
    expect(definition).toMatchObject({ seeds: [seed], include: [], exclude: [] })
    expect(harvestDefinition.parse(definition)).toEqual(definition)
  })

  test('has one of the known connector models', () => {
    expect(connectorModels).toContain(connector.model)
  })

  test('assigns every document to a bin, always to the same one', () => {
    expect(connector.binOf(seed)).toBe(connector.binOf(seed))
    expect(connector.binOf(seed)).not.toBe('')
  })

  test('judges every URL, always with the same verdict, and applies exclude patterns', () => {
    const scope = connector.scopeOf(definition)
    const excluding = connector.scopeOf({ ...definition, exclude: ['never'] })
    const found: fc.Arbitrary<Found> = fc.record({
      url: fc.oneof(fc.webUrl(), fc.constantFrom(seed, 'file:///etc/passwd', 'nonsense', '')),
      kind: fc.constantFrom('navigation', 'embed', 'redirect', 'sitemap'),
      parent: fc.record({
        role: fc.constantFrom('page', 'requisite', 'sitemap'),
        hops: fc.nat(50),
        requisiteDepth: fc.nat(9),
      }),
    })
    fc.assert(
      fc.property(found, (one) => {
        const verdict = connector.judge(scope, one)
        expect(connector.judge(scope, one)).toEqual(verdict)
        if (verdict.verdict !== 'excluded') expect(verdict.hops).toBeGreaterThanOrEqual(one.parent.hops)
        const never = connector.judge(excluding, { ...one, url: `${seed}never` })
        expect(never).toMatchObject({ verdict: 'excluded' })
      }),
      runs,
    )
  })

  test('extracts outlinks from any bytes, all of them canonical URLs', async () => {
    const open = connector.open({ definition, fetching: fetchingIn(world) })
    const bodies = [
      '',
      '<urlset><url><loc>https://a.example/1#x</loc><lastmod>2026</lastmod></url></urlset>',
      '<rss><channel><item><link>/1</link><title>t</title></item></channel></rss>',
      '<a href="/2">two</a><img src="3.png">',
      '\u0000\uffff<',
    ]
    for (const text of bodies) {
      const outlinks = await world.run(answered(world, text).then((captured) => open.outlinksOf(first, captured)))
      for (const outlink of outlinks) expect(canonicalUrl(outlink.url), text).toBe(outlink.url)
    }
  })

  test('returns a failure for a document that cannot be fetched', async () => {
    const open = connector.open({ definition, fetching: fetchingIn(world) })
    expect(await world.run(open.fetch(first))).toMatchObject({ kind: 'failed' })
  })
})

describe.each(outputNames)('the output %s', (name) => {
  test('stores every capture at a separate position, or stores nothing', async () => {
    const { world, store, job } = frontierFixture()
    const connector = outputOf(harvestDefinition.parse({ seeds: ['a'], connectors: { output: name } }))
    await world.run(world.disk.makeFolder('/job'))
    const output = connector.open({
      ...{ store, world, folder: '/job', job, harvest: 1, software: 'test', practice: [], runId: 'run' },
      bodies: openBodyWork(world),
      ...{
        warcVersion: '1.1',
        metadataCompression: 'none',
        settings: { warcVersion: '1.1', payloadDigest: 'standard', revisitRecords: 'alone', fileBytesMax: 1e9 },
      },
    })
    const document = documentOf('https://a.example/', 'page')
    const records = await world.run(
      Promise.all(['one', 'two'].map(async (text) => output.prepare(document, await answered(world, text)))),
    )
    for (const { payloadDigest } of records) expect(payloadDigest).toMatch(/^sha1:[A-Z2-7]{32}$/)
    const places = await world.run(output.keep(records))
    store.transaction(() => output.commit(records.reduce((sum, { count }) => sum + count, 0)))
    await world.run(output.close())
    const isKept = (place: (typeof places)[number]) => place !== null
    expect(places.map(isKept)).toEqual([connector.keeps, connector.keeps])
    expect(new Set(places.map((place) => place?.offset)).size).toBe(connector.keeps ? 2 : 1)
    const archiveFiles = (await world.run(world.disk.list('/job'))).filter((file) => !file.name.startsWith('.'))
    expect(archiveFiles).toHaveLength(connector.keeps ? 1 : 0)
  })
})

function documentOf(url: string, role: DocumentToFetch['role']): DocumentToFetch {
  return { id: 1, url, role, hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 }
}

async function answered(world: SeededWorld, text: string): Promise<Answered> {
  const bytes = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n${text}`)
  const parsed = parseResponseHead(bytes)
  if (!parsed) throw new Error('the head of a test is readable')
  const response = spoolIn(world, { folder: '/', runId: 'run' })
  await response.append(bytes)
  return {
    ...{ kind: 'answered', head: parsed.head, response, truncated: undefined, security: undefined, findings: [] },
    ...{ request: Buffer.from('GET / HTTP/1.1\r\n\r\n'), remoteAddress: '192.0.2.1', startedMs: nowMs, durationMs: 1 },
  }
}

/** Resources of a run in a world without a network and with an empty disk. */
function fetchingIn(world: SeededWorld): RunFetching {
  const never = new AbortController().signal
  const fetching: Fetching = {
    ...{ world, settings: defaultCrawlSettings, connections: connectionsOf(world), watch: watchOf(world, never) },
    newSpool: () => spoolIn(world, { folder: '/', runId: 'run' }),
    bodies: openBodyWork(world),
    earlierCapture: async () => undefined,
    ...{ resolve: {}, ownHosts: new Set<string>(), userAgent: 'test', signal: never },
  }
  return {
    ...fetching,
    archiveFolders: [],
    ask: (document) => fetchDocument(document.url, undefined, fetching),
  }
}
