/** The whole engine on a seeded world, with a job that never ends by itself: it looks at its pages again, takes up its seeds
 *  again, and what has expired leaves its list; wherever the power goes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/contract.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/seeded.ts'
import type { Connection } from '../../world/world.ts'
import { task, type CrawlInput } from '../crawl.thread.ts'
import { openJobs } from '../jobs.ts'
import { defaultCrawlSettings } from '../limits.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const secondMs = 1_000
const lifeMs = 900 * secondMs
const intervalSeconds = 60
/** A page lives for two looks and a half. */
const expirySeconds = 150
const reseedSeconds = 240

/** The front page leads to two others; none of them ever changes. */
function serve(world: SeededWorld, asked: { path: string; atMs: number }[], clock: () => number): void {
  world.network.serve('site.test', 80, async (connection: Connection) => {
    for (let held = ''; ;) {
      const bytes = await connection.read()
      if (!bytes) return
      held += Buffer.from(bytes).toString('latin1')
      for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
        const path = held.split(' ')[1] ?? '/'
        held = held.slice(end + 4)
        asked.push({ path, atMs: clock() })
        const body = path === '/' ? '<a href="/a">a</a> <a href="/b">b</a>' : `the page ${path}`
        const head = path === '/robots.txt' ? 'HTTP/1.1 404 Not Found' : 'HTTP/1.1 200 OK'
        const text = `${head}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        await connection.write(Buffer.from(text))
      }
    }
  })
}

async function harvested(cutsAfterCalls: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-continuous-'))
  folders.push(folder)
  let world = seededWorld({ seed: 5 })
  const startMs = world.clock.now()
  const asked: { path: string; atMs: number }[] = []
  serve(world, asked, () => world.clock.now() - startMs)
  const input: CrawlInput = {
    databasePath: join(folder, 'loupe.db'),
    folder: '/archive/jobs',
    incomingFolder: '/archive/incoming',
    replicas: [{ name: 'one', folder: '/replicas/one' }],
    settings: { ...defaultCrawlSettings, delayMs: 0, freeBytesMin: 0 },
    software: 'Loupe/test',
  }
  const store = openStore(input.databasePath)
  const recheck = {
    type: 'continuous',
    intervalSeconds,
    intervalSecondsMax: intervalSeconds,
    expirySeconds,
    reseedSeconds,
  }
  const job = openJobs(store, world).create(harvestDefinition.parse({ seeds: ['http://site.test/'], recheck }))
  const problems: string[] = []
  let calls = 0

  async function session(): Promise<'ended'> {
    const stop = new AbortController()
    const jobs = openJobs(store, world)
    const report = (said: { kind: string; text?: string }) => {
      if (said.kind === 'problem') problems.push(said.text ?? '')
    }
    const engine = task({ world, report, signal: stop.signal, takePrinted: () => '' }, input)
    while (world.clock.now() - startMs < lifeMs) await world.clock.sleep(secondMs)
    expect(jobs.summary(job).state).toMatch(/^ACTIVE/)
    jobs.act(job, 'abort')
    while (jobs.summary(job).state !== 'INACTIVE') await world.clock.sleep(secondMs)
    stop.abort()
    await engine
    return 'ended'
  }

  for (const cut of [...cutsAfterCalls, Infinity]) {
    const outcome = await world.runUntilCut(session(), cut)
    calls += world.calls
    if (outcome) break
    world = world.crash()
  }
  const summary = openJobs(store, world).summary(job)
  const expired = store
    .statement<object, { url: string }>(`SELECT url FROM removed_document WHERE why = 'expired'`)
    .all({})
  const states = store
    .statement<object, { state: string; hasOutcome: number }>(
      `SELECT DISTINCT state, outcome IS NOT NULL AS hasOutcome FROM document`,
    )
    .all({})
  const log = store
    .statement<object, { text: string }>('SELECT text FROM job_event')
    .all({})
    .map(({ text }) => text)
  store.close()
  return { asked, problems, summary, expired, states, log, calls }
}

function expectLived({ asked, problems, summary, expired, states, log }: Awaited<ReturnType<typeof harvested>>): void {
  const timesOf = (path: string) => asked.filter((each) => each.path === path).map(({ atMs }) => atMs)
  for (const path of ['/', '/a', '/b']) {
    const times = timesOf(path)
    expect(times.length, path).toBeGreaterThan(3)
  }
  expect(new Set(expired.map(({ url }) => url))).toContain('http://site.test/a')
  expect(log.filter((text) => text.startsWith('Its seeds were taken up again')).length).toBeGreaterThan(1)
  expect(problems).toEqual([])
  expect(summary).toMatchObject({ status: 'Stopped', stopReason: 'DOWNLOAD_UNFINISHED', queued: 0 })
  // What waited for its next look has its outcome.
  expect(states).toEqual([{ state: 'COMPLETE', hasOutcome: 1 }])
}

test('it looks at everything again and again, forgets what has expired, and finds it again by its seeds', async () => {
  const found = await harvested([])
  expectLived(found)
  const times = found.asked.filter(({ path }) => path === '/a').map(({ atMs }) => atMs)
  // Between two looks the interval, or the time from its expiry to its next finding.
  for (const [index, atMs] of times.slice(1).entries())
    expect(atMs - (times[index] ?? 0)).toBeGreaterThan(intervalSeconds * secondMs - secondMs)
})

test('wherever the power goes it lives on', async () => {
  const { calls } = await harvested([])
  for (let at = 1; at <= 3; at += 1) expectLived(await harvested([Math.floor((calls * at) / 4), Math.floor(calls / 9)]))
}, 240_000)
