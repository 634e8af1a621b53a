/** Fixture for tests of the whole engine: one job on a seeded world and a site that answers as the test specifies. The engine
 *  starts again after every power cut that the test asks for. */
import type { JobSummary } from '../../../contract/services/jobSummary.ts'
import { textOf } from '../../../contract/words/render.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { harvestDefinition } from '../../../contract/services/definition.ts'
import { openStore, type Store } from '../../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import type { Connection } from '../../../world/world.ts'
import { task, type CrawlInput, type CrawlReport } from '../../crawl.thread.ts'
import { openJobs, type Jobs } from '../../jobs/jobs.ts'
import { defaultCrawlSettings, type CrawlSettings } from '../../model/limits.ts'

export const secondMs = 1_000

/** An answer of the site. */
export interface Answer {
  body: string
  /** 200 if absent. */
  status?: number
  mediaType?: string
  fields?: readonly string[]
}

/** The trial that a test specifies. */
export interface EngineTrial {
  seed: number
  startMs?: number
  settings?: Partial<CrawlSettings>
  /** Answers a request to `http://site.test`; undefined closes the connection. */
  answer(path: string, atMs: number): Answer | undefined | Promise<Answer | undefined>
  /** Definition of a harvest to create first; absent if the database already contains the job. */
  definition?: object
  /** Fills the database before anything opens it. */
  fill?(databasePath: string): void
  /** Number of calls of each machine after which its power is cut. */
  cutsAfterCalls?: readonly number[]
}

/** One life of the engine, between two power cuts. */
export interface Life {
  world: SeededWorld
  store: Store
  databasePath: string
  jobs: Jobs
  job: number
  /** Milliseconds since the world began, independent of its clock. */
  sinceMs(): number
  sleep(ms: number): Promise<void>
  /** Checks every second until the state of the job matches. */
  until(state: RegExp): Promise<void>
}

/** The result that a test can inspect. */
export interface Lived {
  store: Store
  jobs: Jobs
  job: number
  asked: { path: string; atMs: number }[]
  problems: string[]
  /** Total number of calls of the machines: the points at which a power cut is possible. */
  calls: number
  /** The log of the job. */
  log(): string[]
}

/** More than any trial logs. */
const logLinesMax = 100_000
/** Longer than any trial. */
const lifeMsMax = 3 * 3_600_000 + 600_000

/** Runs a trial. `live` acts as the user in each life of the engine; when it resolves, the engine is closed. */
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
    const report = (reported: CrawlReport) =>
      void (reported.kind === 'problem' && problems.push(textOf(reported.message)))
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
  const log = () => jobs.log(job, 0, logLinesMax).map(({ message }) => textOf(message))
  return { store, jobs, job, asked, problems, calls, log }
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

/** An answer to `/robots.txt` without rules. */
export const noRules: Answer = { status: 404, body: 'none' }

/** A page that links to these paths. */
export function linksTo(...paths: string[]): Answer {
  return { body: paths.map((path) => `<a href="${path}">${path}</a>`).join(' ') }
}

/** Text of the reason for which a job ended or waits; null where there is none. */
export function reasonTextOf({ reason }: Pick<JobSummary, 'reason'>): string | null {
  return reason && textOf(reason)
}
