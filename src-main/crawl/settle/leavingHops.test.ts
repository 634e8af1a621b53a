/** The whole engine with hop limits: when a document is removed, documents that are reachable only through it leave the queue at
 *  once, and return when there is a path again. */
import Database from 'better-sqlite3'
import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import {
  linksTo,
  lived,
  noRules,
  secondMs,
  type Answer,
  type Life,
  type Lived,
} from '../loops/testing/engineFixture.ts'
import { openStore } from '../../storage/storage.ts'

type Site = Record<string, Answer | undefined>

const seeds = ['http://site.test/']
const answerOf = (site: Site) => (path: string) => (path === '/robots.txt' ? noRules : site[path])

function statesIn({ store }: Pick<Life, 'store'>): Record<string, string> {
  const rows = store.statement<object, { path: string; state: string }>(
    `SELECT REPLACE(url, 'http://site.test', '') AS path, state FROM document WHERE role <> 'robots' ORDER BY url`,
  )
  return Object.fromEntries(rows.all({}).map(({ path, state }) => [path, state]))
}

const countsOf = ({ jobs, job }: Pick<Lived, 'jobs' | 'job'>) => jobs.summary(job).documents

describe('a document of a continuous job expires', () => {
  /** Pages linked from the front page, two of them in a cycle. */
  const site: Site = {
    '/': linksTo('/a'),
    '/a': linksTo('/b', '/c'),
    '/b': linksTo('/c', '/d'),
    '/c': linksTo('/b'),
    '/d': linksTo(),
  }
  const recheck = {
    type: 'continuous',
    intervalSeconds: 60,
    intervalSecondsMax: 60,
    expirySeconds: 150,
    reseedSeconds: 240,
  }
  /** Delay between two fetches, so that the pages expire one after the other. */
  const settings = { delayMs: 7 * secondMs }

  test('all documents reachable through it leave the queue at once, a cycle too, and are queued when it is found again', async () => {
    const definition = { seeds, recheck, maxHops: 5 }
    const seen: { atMs: number; states: Record<string, string> }[] = []
    const found = await lived({ seed: 2, answer: answerOf(site), definition, settings }, async (life) => {
      while (life.sinceMs() < 370 * secondMs) {
        seen.push({ atMs: life.sinceMs(), states: statesIn(life) })
        await life.sleep(secondMs)
      }
      life.jobs.act(life.job, 'abort')
      await life.until(/^INACTIVE$/)
    })
    expect(found.problems).toEqual([])
    const without = seen.filter(({ states }) => states['/a'] !== undefined && states['/'] === undefined)
    expect(without.length).toBeGreaterThan(60)
    for (const { atMs, states } of without) {
      const linked = ['/a', '/b', '/c', '/d'].map((path) => states[path])
      expect(new Set(linked), `after ${atMs} ms: ${JSON.stringify(states)}`).toEqual(new Set(['HOPCOUNTREMOVED']))
    }
    // None of them is requested in the meantime, and all of them afterwards.
    const from = without[0]?.atMs ?? 0
    const to = without.at(-1)?.atMs ?? 0
    const paths = (after: number, before: number) =>
      found.asked.filter(({ atMs }) => atMs > after && atMs < before).map(({ path }) => path)
    expect(paths(from, to).filter((path) => path !== '/robots.txt')).toEqual([])
    expect(paths(to, Infinity)).toEqual(expect.arrayContaining(['/', '/a', '/b', '/c', '/d']))
    const { total, fetched, excluded, failed } = countsOf(found)
    expect({ fetched, excluded, failed }).toEqual({ fetched: total, excluded: 0, failed: 0 })
  })
})

describe('a document is not found again', () => {
  /** The short path to /deep leads over a page whose only referring page is gone in the second run. */
  const first: Site = {
    '/': linksTo('/gate', '/long'),
    '/gate': linksTo('/short'),
    '/short': linksTo('/deep'),
    '/long': linksTo('/longer'),
    '/longer': linksTo('/longest'),
    '/longest': linksTo('/deep'),
    '/deep': linksTo('/deeper'),
    '/deeper': linksTo('/deep'),
  }

  test('when it is removed at the end of the run, documents too far without it are removed too', async () => {
    let site: Site = first
    const settings = { retryDelayMs: 100 }
    const found = await lived(
      { seed: 4, answer: (path) => answerOf(site)(path), definition: { seeds, maxHops: 4 }, settings },
      async ({ jobs, job, sleep, until }) => {
        await until(/^INACTIVE$/)
        expect(jobs.summary(job).documents).toMatchObject({ fetched: 9, excluded: 0 })
        site = { ...first, '/gate': undefined, '/longest': linksTo('/deep') }
        jobs.act(job, 'start')
        await sleep(secondMs)
        await until(/^INACTIVE$/)
      },
    )
    expect(found.problems).toEqual([])
    expect(statesIn(found)).toEqual({
      '/': 'COMPLETE',
      '/deep': 'COMPLETE',
      '/deeper': 'HOPCOUNTREMOVED',
      '/gate': 'COMPLETE',
      '/long': 'COMPLETE',
      '/longer': 'COMPLETE',
      '/longest': 'COMPLETE',
    })
  })
})

describe('a running job whose links were not recorded', () => {
  const definition = harvestDefinition.parse({ seeds, maxHops: 2, delayMs: 0 })
  const key = (path: string) => `x'${hash('sha256', `http://site.test${path}`)}'`
  /** id, path, state, outcome, reason, role, hop_path, hops, via */
  const rows: [number, string, string, string | null, string | null, string, string, number, number | null][] = [
    [1, '/robots.txt', 'COMPLETE', 'fetched', null, 'robots', 'P', -1, null],
    [2, '/', 'COMPLETE', 'fetched', null, 'page', '', 0, null],
    [3, '/read', 'COMPLETE', 'fetched', null, 'page', 'L', 1, 2],
    [4, '/waiting', 'PENDING', null, null, 'page', 'L', 1, 2],
    [5, '/next', 'PENDING', null, null, 'page', 'LL', 2, 3],
    [6, '/far', 'COMPLETE', 'excluded', 'tooManyHops', 'page', 'LLL', 3, 5],
    [7, '/other', 'COMPLETE', 'excluded', 'outOfScope', 'page', 'L', 1, 2],
  ]
  const value = (each: string | number | null) =>
    each === null ? 'NULL' : typeof each === 'number' ? each : `'${each}'`
  const fill = `
INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'old', 'event', '${JSON.stringify(definition)}', 0);
INSERT INTO job (id, harvest_id, state, created_ms, started_ms, documents_total, documents_fetched, documents_excluded)
  VALUES (1, 1, 'ACTIVE', 0, 0, 7, 3, 2);
INSERT INTO host (id, job_id, origin, robots_state) VALUES (1, 1, 'http://site.test', 'ALLOWED');
${rows
  .map(
    ([id, path, state, outcome, reason, role, hopPath, hops, via]) =>
      `INSERT INTO document (id, job_id, url_key, url, host_id, due_ms, state, outcome, reason, role, hop_path, hops, via_id)
       VALUES (${id}, 1, ${key(path)}, 'http://site.test${path}', 1, 0, ${[state, outcome, reason, role, hopPath, hops, via].map(value).join(', ')});`,
  )
  .join('\n')}
UPDATE document SET needs_priority = 1 WHERE state = 'PENDING';
UPDATE document SET seed_mark = 'S' WHERE via_id IS NULL AND role = 'page';
INSERT INTO run_definition (job_id, run, definition) SELECT 1, 1, definition FROM harvest;`

  function filled(databasePath: string): void {
    openStore(databasePath).close()
    const database = new Database(databasePath)
    database.exec(fill)
    database.close()
  }

  test('continues with the paths by which documents were found, corrects distances, and logs it', async () => {
    /** A queued document has a shorter path to one that was too far. */
    const site: Site = {
      '/waiting': linksTo('/far', '/new'),
      '/next': linksTo('/far', '/farther'),
      '/new': linksTo('/beyond'),
      '/far': linksTo(),
    }
    const found = await lived({ seed: 6, answer: answerOf(site), fill: filled }, ({ until }) => until(/^INACTIVE$/))
    expect(found.problems).toEqual([])
    expect(found.asked.map(({ path }) => path).sort()).toEqual(['/far', '/new', '/next', '/waiting'])
    expect(statesIn(found)).toEqual({
      '/': 'COMPLETE',
      '/beyond': 'HOPCOUNTREMOVED',
      '/far': 'COMPLETE',
      '/farther': 'HOPCOUNTREMOVED',
      '/new': 'COMPLETE',
      '/next': 'COMPLETE',
      '/other': 'COMPLETE',
      '/read': 'COMPLETE',
      '/waiting': 'COMPLETE',
    })
    expect(countsOf(found)).toMatchObject({ total: 10, fetched: 7, excluded: 3 })
    expect(found.log().join('\n')).toContain('along the path by which each URL was found')
  })
})
