/** Runs the whole engine over a site with short and long paths to the same pages: the same URLs are harvested at the same distances,
 *  regardless of which server answers first and in which run the site got its links. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { harvestDefinition } from '../contract/services/definition.ts'
import type { HopMode } from '../contract/shapes/hops.ts'
import { defaultCrawlSettings, openJobs } from '../crawl/crawl.ts'
import { task, type CrawlReport } from '../crawl/crawl.thread.ts'
import { openStore } from '../storage/storage.ts'
import { seededWorld } from '../world/testing/seeded.ts'
import { incomingFolder, jobsFolder, quarantineFolder, replicas } from './evidence.ts'
import type { Host, Page } from './site.ts'
import { serveSite } from './siteServer.ts'

/** path → the paths that it links to. A path that begins with `=` answers with a redirect to its one link. */
type Ways = Record<string, string[]>

const origin = 'http://museum.test'
const checkEveryMs = 100

function pageOf(links: string[], isRedirect: boolean): Page {
  const body = links.map((path) => `<a href="${path}">${path}</a>`).join(' ')
  const page = { mediaType: 'text/html', body, status: 200, fault: { kind: 'none' } as const }
  return isRedirect ? { ...page, status: 302, location: `${origin}${links[0] ?? '/'}` } : page
}

function hostOf(ways: Ways): Host {
  return {
    ...{ origin, name: 'museum.test', port: 80, tls: false, trouble: 'none', framing: 'length' },
    ...{ answersPerConnection: 1_000, pages: pagesOf(ways), robotsText: undefined, isClosed: false },
  }
}

function pagesOf(ways: Ways): Map<string, Page> {
  return new Map(Object.entries(ways).map(([path, links]) => [path, pageOf(links, path.startsWith('/='))]))
}

interface Left {
  complete: string[]
  tooFar: string[]
  distances: Record<string, number>
}

/** One run per state of the site, in one job. */
async function harvested(seed: number, sites: Ways[], limits: object): Promise<Left> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-hops-'))
  const world = seededWorld({ seed })
  const host = hostOf({})
  serveSite({ hosts: [host], seeds: [], scope: 'host' }, world.network, () => world.clock)
  const databasePath = join(folder, 'loupe.db')
  const store = openStore(databasePath)
  const jobs = openJobs(store, world)
  const options = { seeds: [`${origin}/`], delayMs: 0, connectionsPerHost: 3, workers: 3, robots: 'ignore' }
  const job = jobs.create(harvestDefinition.parse({ ...options, ...limits }))
  const settings = { ...defaultCrawlSettings, retryDelayMs: 300 }
  const input = {
    ...{ databasePath, folder: jobsFolder, incomingFolder, quarantineFolder, replicas, settings },
    software: 'Loupe/simulation',
  }
  const said: CrawlReport[] = []
  const stop = new AbortController()
  const report = (each: CrawlReport) => void (each.kind === 'problem' && said.push(each))
  const runs = async () => {
    for (const [at, ways] of sites.entries()) {
      host.pages.clear()
      for (const [path, page] of pagesOf(ways)) host.pages.set(path, page)
      if (at > 0) jobs.act(job, 'start')
      while (jobs.summary(job).state !== 'INACTIVE') await world.clock.sleep(checkEveryMs)
    }
    stop.abort()
  }
  try {
    await world.run(Promise.all([task({ world, report, signal: stop.signal, takePrinted: () => '' }, input), runs()]))
    expect(said).toEqual([])
    return leftIn(store, job)
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
}

function leftIn(store: ReturnType<typeof openStore>, job: number): Left {
  const rows = store
    .statement<{ job: number }, { path: string; state: string; distance: number | null }>(
      `SELECT REPLACE(url, '${origin}', '') AS path, state, hop.distance FROM document
       LEFT JOIN hop_node ON hop_node.job_id = document.job_id AND hop_node.url_key = document.url_key
       LEFT JOIN hop ON hop.node_id = hop_node.id AND hop.measure = 'hops' WHERE document.job_id = @job ORDER BY url`,
    )
    .all({ job })
  const of = (state: string) => rows.filter((row) => row.state === state).map(({ path }) => path)
  return {
    complete: of('COMPLETE'),
    tooFar: of('HOPCOUNTREMOVED'),
    distances: Object.fromEntries(rows.map(({ path, distance }) => [path, distance ?? Infinity])),
  }
}

/** /deep/3 is three links away by the long path and two by the short one, through a page that is found last and a redirect. */
const before: Ways = {
  '/': ['/a', '/b', '/=moved', '/c'],
  '/a': ['/a/1', '/deep/3'],
  '/a/1': ['/a/2'],
  '/a/2': ['/deep/4'],
  '/b': ['/a/1', '/b/1'],
  '/b/1': ['/deep/3'],
  '/=moved': ['/landed'],
  '/landed': ['/b/1', '/deep/5'],
  '/c': ['/deep/5'],
  '/deep/3': ['/deep/4'],
  '/deep/4': ['/'],
  '/deep/5': ['/deep/6'],
  '/deep/6': [],
}
/** Without the redirect and the link from /a to /deep/3, the shortest paths are gone. */
const after: Ways = { ...before, '/': ['/a', '/b'], '/a': ['/a/1'] }

const inFirst: Left = {
  complete: ['/', '/=moved', '/a', '/a/1', '/b', '/b/1', '/c', '/deep/3', '/deep/5', '/landed'],
  tooFar: ['/a/2', '/deep/4', '/deep/6'],
  distances: {
    ...{
      '/': 0,
      '/=moved': 1,
      '/a': 1,
      '/b': 1,
      '/c': 1,
      '/landed': 1,
      '/a/1': 2,
      '/b/1': 2,
      '/deep/3': 2,
      '/deep/5': 2,
    },
    ...{ '/a/2': 3, '/deep/4': 3, '/deep/6': 3 },
  },
}
const seeds = [1, 2, 3, 4, 5, 6]

test.each(seeds)('any order of responses (seed %i) gives the same URLs at the same distances', async (seed) => {
  expect(await harvested(seed, [before], { maxHops: 2 })).toEqual(inFirst)
})

test.each(seeds)('a further run (seed %i) goes as far as the site is deep now', async (seed) => {
  const fresh = await harvested(seed, [after], { maxHops: 2 })
  const further = await harvested(seed, [before, after], { maxHops: 2 })
  expect(further.complete).toEqual(fresh.complete)
  expect(further.complete).toEqual(['/', '/a', '/a/1', '/b', '/b/1'])
  for (const path of fresh.tooFar) expect(further.distances[path]).toBe(fresh.distances[path])
})

test.each<HopMode>(['noDelete', 'neverDelete'])('in the mode %s no distance increases', async (mode) => {
  const further = await harvested(1, [before, after], { maxHops: 2, hops: { mode } })
  expect(further.distances['/deep/3'] ?? 2).toBe(2)
  expect(further.complete).toContain('/b/1')
})

test('a redirect limit excludes URLs beyond it, except those reachable by another path', async () => {
  const { complete, tooFar } = await harvested(1, [before], { maxHops: 2, hops: { limits: { redirect: 0 } } })
  expect(tooFar).toContain('/landed')
  expect(complete).toEqual(inFirst.complete.filter((path) => path !== '/landed'))
})
