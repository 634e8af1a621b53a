/** For tests of the whole engine: one job on a seeded world, a site that answers as the test says, and what goes on meanwhile,
 *  begun anew wherever the test lets the power go. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { harvestDefinition } from '../../../contract/contract.ts'
import { openStore, type Store } from '../../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import type { Connection } from '../../../world/world.ts'
import { task, type CrawlInput, type CrawlReport } from '../../crawl.thread.ts'
import { openJobs, type Jobs } from '../../jobs/jobs.ts'
import { defaultCrawlSettings, type CrawlSettings } from '../../model/limits.ts'

export const secondMs = 1_000

export interface Answer {
  body: string
  /** 200 when absent. */
  status?: number
  mediaType?: string
  fields?: readonly string[]
}

export interface EngineTrial {
  seed: number
  startMs?: number
  settings?: Partial<CrawlSettings>
  /** What `http://site.test` says. Undefined: it hangs up. */
  answer(path: string, atMs: number): Answer | undefined | Promise<Answer | undefined>
  /** Of a harvest that is created first; absent where the database has its job already. */
  definition?: object
  /** Makes the database before anything opens it. */
  fill?(databasePath: string): void
  /** Calls of each machine after which its power goes. */
  cutsAfterCalls?: readonly number[]
}

export interface Life {
  world: SeededWorld
  store: Store
  databasePath: string
  jobs: Jobs
  job: number
  /** Since the world began, whatever its clock was set to. */
  sinceMs(): number
  sleep(ms: number): Promise<void>
  /** Looks every second until the job is in a state that it matches. */
  until(state: RegExp): Promise<void>
}

export interface Lived {
  store: Store
  jobs: Jobs
  job: number
  asked: { path: string; atMs: number }[]
  problems: string[]
  /** How many calls the machines made in all: where a power cut is possible. */
  calls: number
  /** The job's log. */
  log(): string[]
}

/** Longer than any trial. */
const lifeMsMax = 3 * 3_600_000 + 600_000

/** `live`: what a person does with each life of the engine; when it is over the engine is closed. */
export async function lived(trial: EngineTrial, live: (life: Life) => Promise<void>): Promise<Lived> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const input = inputIn(folder, trial)
  trial.fill?.(input.databasePath)
  let world = seededWorld(trial)
  const startMs = world.clock.elapsed()
  const sinceMs = () => Math.floor(world.clock.elapsed() - startMs)
  const asked: Lived['asked'] = []
  world.network.serve('site.test', 80, (connection) => converse(connection, trial, asked, sinceMs))
  const store = openStore(input.databasePath)
  onTestFinished(() => store.close())
  const job = trial.definition ? openJobs(store, world).create(harvestDefinition.parse(trial.definition)) : 1
  const problems: string[] = []
  let calls = 0

  async function session(): Promise<'ended'> {
    const stop = new AbortController()
    const jobs = openJobs(store, world)
    const report = (reported: CrawlReport) => void (reported.kind === 'problem' && problems.push(reported.text))
    const engine = task({ world, report, signal: stop.signal, takePrinted: () => '' }, input)
    const { clock } = world
    const until = async (state: RegExp) => {
      while (!state.test(jobs.summary(job).state)) {
        if (sinceMs() > lifeMsMax) throw new Error(`it is still ${jobs.summary(job).state}`)
        await clock.sleep(secondMs)
      }
    }
    await live({
      world,
      store,
      databasePath: input.databasePath,
      jobs,
      job,
      sinceMs,
      sleep: (ms) => clock.sleep(ms),
      until,
    })
    stop.abort()
    await engine
    return 'ended'
  }

  for (const cut of [...(trial.cutsAfterCalls ?? []), Infinity]) {
    const outcome = await world.runUntilCut(session(), cut)
    calls += world.calls
    if (outcome) break
    world = world.crash()
  }
  const jobs = openJobs(store, world)
  const events = store.statement<object, { text: string }>('SELECT text FROM job_event ORDER BY id')
  return { store, jobs, job, asked, problems, calls, log: () => events.all({}).map(({ text }) => text) }
}

function inputIn(folder: string, { settings }: EngineTrial): CrawlInput {
  return {
    databasePath: join(folder, 'loupe.db'),
    folder: '/archive/jobs',
    incomingFolder: '/archive/incoming',
    quarantineFolder: '/archive/quarantine',
    replicas: [{ name: 'one', folder: '/replicas/one' }],
    settings: { ...defaultCrawlSettings, delayMs: 0, freeBytesMin: 0, ...settings },
    software: 'Loupe/test',
  }
}

async function converse(
  connection: Connection,
  { answer }: Pick<EngineTrial, 'answer'>,
  asked: Lived['asked'],
  sinceMs: () => number,
): Promise<void> {
  for (let held = ''; ;) {
    const bytes = await connection.read()
    if (!bytes) return
    held += Buffer.from(bytes).toString('latin1')
    for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
      const path = held.split(' ')[1] ?? '/'
      held = held.slice(end + 4)
      asked.push({ path, atMs: sinceMs() })
      const given = await answer(path, sinceMs())
      if (!given) return
      await connection.write(bytesOf(given))
    }
  }
}

function bytesOf({ body, status = 200, mediaType = 'text/html', fields = [] }: Answer): Buffer {
  const head = [`HTTP/1.1 ${status} So`, `Content-Type: ${mediaType}`, ...fields]
  return Buffer.from([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'))
}

export const noRules: Answer = { status: 404, body: 'none' }

/** A page that leads to these paths. */
export function linksTo(...paths: string[]): Answer {
  return { body: paths.map((path) => `<a href="${path}">${path}</a>`).join(' ') }
}
