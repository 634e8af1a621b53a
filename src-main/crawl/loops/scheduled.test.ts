/** The whole engine on a seeded world, with a job that may only run in some minutes of each ten: it fetches in its windows and
 *  nowhere else, is not touched before the first, and the power may go at any call. */
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
const minuteMs = 60 * secondMs
const pagesCount = 24
/** At this pace they need some eight minutes: windows of three minutes are too short for that. */
const delayMs = 20 * secondMs
const windowMinutes = 3
/** The next look after the end of a window, and what was in hands then. */
const lateMsMax = 15 * secondMs

const startMs = Date.UTC(2026, 0, 1, 0, 4)

/** Pages in a row, each linking to the next; when each was asked for. */
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
        const number = Number(path.slice(1))
        const body = number + 1 < pagesCount ? `<a href="/${number + 1}">next</a>` : 'the last'
        const head = path === '/robots.txt' ? 'HTTP/1.1 404 Not Found' : 'HTTP/1.1 200 OK'
        const text = `${head}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        await connection.write(Buffer.from(text))
      }
    }
  })
}

/** Runs the job to its end, with the power going after these many calls of each machine. */
async function harvested(cutsAfterCalls: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-scheduled-'))
  folders.push(folder)
  let world = seededWorld({ seed: 3, startMs })
  const asked: { path: string; atMs: number }[] = []
  serve(world, asked, () => world.clock.now())
  const input: CrawlInput = {
    databasePath: join(folder, 'loupe.db'),
    folder: '/archive/jobs',
    incomingFolder: '/archive/incoming',
    replicas: [{ name: 'one', folder: '/replicas/one' }],
    settings: { ...defaultCrawlSettings, delayMs, freeBytesMin: 0 },
    software: 'Loupe/test',
  }
  const store = openStore(input.databasePath)
  const tens = [0, 10, 20, 30, 40, 50]
  const schedule = { records: [{ minutes: tens, durationMinutes: windowMinutes }] }
  const definition = harvestDefinition.parse({ seeds: ['http://site.test/0'], schedule })
  const job = openJobs(store, world).create(definition)
  const problems: string[] = []
  const states = new Set<string>()
  let calls = 0

  async function session(): Promise<'ended'> {
    const stop = new AbortController()
    const jobs = openJobs(store, world)
    const report = (said: { kind: string; text?: string }) => {
      if (said.kind === 'problem') problems.push(said.text ?? '')
    }
    const engine = task({ world, report, signal: stop.signal, takePrinted: () => '' }, input)
    for (;;) {
      const { state, status, started, ended } = jobs.summary(job)
      states.add(state)
      if (started === null && state === 'INACTIVE') expect(status).toBe('Not yet run')
      if (ended !== null && state === 'INACTIVE') break
      if (world.clock.now() - startMs > 3 * 60 * minuteMs) throw new Error(`it does not end: ${state}`)
      await world.clock.sleep(secondMs)
    }
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
  store.close()
  return { asked, states, problems, summary, calls }
}

function expectInWindows({ asked, problems, summary }: Awaited<ReturnType<typeof harvested>>): void {
  for (const { path, atMs } of asked) {
    const intoMs = atMs % (10 * minuteMs)
    expect(intoMs, `${path} at ${new Date(atMs).toISOString()}`).toBeLessThan(windowMinutes * minuteMs + lateMsMax)
  }
  expect(new Set(asked.map(({ path }) => path)).size).toBe(pagesCount + 1)
  expect(summary).toMatchObject({ status: 'Done', reason: null, stopReason: 'DOWNLOAD_COMPLETE' })
  // With its robots.txt.
  expect(summary.documents.fetched).toBe(pagesCount + 1)
  expect(problems).toEqual([])
}

test('it fetches in its windows, waits between them, and ends by itself', async () => {
  const found = await harvested([])
  expectInWindows(found)
  expect([...found.states]).toEqual(expect.arrayContaining(['INACTIVE', 'ACTIVE', 'ACTIVEWAIT']))
  expect(Math.min(...found.asked.map(({ atMs }) => atMs))).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1, 0, 10))
})

test('wherever the power goes, each window is kept and nothing is lost', async () => {
  const { calls } = await harvested([])
  for (let at = 1; at <= 4; at += 1) {
    const cut = Math.floor((calls * at) / 5)
    expectInWindows(await harvested([cut, Math.floor(calls / 9)]))
  }
}, 240_000)
