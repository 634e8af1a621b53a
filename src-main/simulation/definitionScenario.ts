/** A scenario of the harvests of an institution: domains with limits and traps, a selective harvest on a schedule of minutes, the whole crawl
 *  engine, power cuts, jumps of the clock and suspends. What must hold at the end is checked here, too. */
import { join } from 'node:path'
import { openArchive } from '../archive/store/archive.ts'
import { harvestInput } from '../contract/services/harvestDefinitions.ts'
import { harvestScheduleInput } from '../contract/services/harvestSchedules.ts'
import { textOf } from '../contract/words/render.ts'
import { openJobs } from '../crawl/crawl.ts'
import { task, type CrawlInput, type CrawlReport } from '../crawl/crawl.thread.ts'
import { defaultCrawlSettings } from '../crawl/crawl.ts'
import { defaultGenerationSettings, memoryChannels, openHarvestFloor, type Harvests } from '../harvest/harvest.ts'
import { openStore, type Store } from '../storage/storage.ts'
import { loopMonitor } from '../tasks/loopMonitor.ts'
import { seededChance, type SeededChance } from '../world/testing/seededChance.ts'
import { seededWorld, type SeededWorld } from '../world/testing/seeded.ts'
import type { Connection } from '../world/world.ts'
import { checksumReplica, incomingFolder, jobsFolder, quarantineFolder, replicas } from './evidence.ts'

/** A domain of the scenario. */
interface ScenarioDomain {
  name: string
  /** Pages that the home page links. */
  pages: number
  /** Limit of its configuration; null: none. */
  objectsMax: number | null
  /** Whether a page of the site is a crawler trap. */
  hasTrap: boolean
}

/** What is drawn from the seed. */
interface DefinitionPlan {
  domains: ScenarioDomain[]
  everyMinutes: number
  runs: number
  configurationSubsetSize: number
  jobsAtOnceMax: number
  /** Calls of each machine after which its power is cut. */
  cuts: number[]
  /** Jumps of the wall clock, and suspends, by the time since the beginning. */
  jumps: { atMs: number; byMs: number; isSuspend: boolean }[]
}

/** What the scenario shows. */
export interface DefinitionResult {
  seed: number
  machines: number
  jobs: number
  /** What does not hold; empty where all is well. */
  violations: string[]
}

const minuteMs = 60_000
/** Virtual time after which the runs are late: they are planned within an hour. */
const durationMsMax = 6 * 3_600_000
const harvestName = 'Drawn'

function drawPlan(chance: SeededChance): DefinitionPlan {
  const some = (max: number) => chance.below(max + 1)
  return {
    domains: Array.from({ length: 1 + some(3) }, (_, at) => ({
      ...{ name: `d${at}.example`, pages: 1 + some(5), objectsMax: chance.happens(300) ? 2 : null },
      hasTrap: chance.happens(300),
    })),
    ...{
      everyMinutes: 1 + some(4),
      runs: 1 + some(2),
      configurationSubsetSize: 1 + some(2),
      jobsAtOnceMax: 1 + some(2),
    },
    cuts: Array.from({ length: some(4) }, () => 20 + chance.below(1_500)),
    jumps: Array.from({ length: some(2) }, () => ({
      atMs: chance.below(5 * minuteMs),
      byMs: (chance.happens(500) ? -1 : 1) * (1 + chance.below(2 * 24 * 60)) * minuteMs,
      isSuspend: chance.happens(300),
    })),
  }
}

/** Runs a scenario. `folder`: an empty folder on the real disk, for the database. */
export async function runDefinitions(seed: number, folder: string): Promise<DefinitionResult> {
  const plan = drawPlan(seededChance(seed))
  const problems: string[] = []
  let world = seededWorld({ seed })
  for (const domain of plan.domains)
    world.network.serve(`www.${domain.name}`, 80, (connection) => serve(connection, domain))
  const databasePath = join(folder, 'loupe.db')
  const store = openStore(databasePath)
  const startMs = world.clock.elapsed()
  const progress = { jumps: [...plan.jumps], suspendedMs: 0 }
  let machines = 0
  for (let isOver = false; !isOver; machines += 1) {
    const session = inSession({ world, store, databasePath, plan, problems, startMs, progress })
    const outcome = await world.runUntilCut(session, plan.cuts[machines] ?? Infinity)
    isOver = outcome !== undefined
    if (!isOver) world = world.crash()
  }
  const violations = [...problems, ...violationsIn(store, plan)]
  const jobs = store.statement<Record<string, never>, { jobs: number }>(`SELECT COUNT(*) AS jobs FROM generated_job`)
  const result = { seed, machines, jobs: jobs.get({})?.jobs ?? 0, violations }
  store.close()
  return result
}

interface Session {
  world: SeededWorld
  store: Store
  databasePath: string
  plan: DefinitionPlan
  problems: string[]
  startMs: number
  /** Jumps that are left, and the time in suspend, which no run waits for. */
  progress: { jumps: DefinitionPlan['jumps']; suspendedMs: number }
}

/** One machine, until its power is cut or all runs are counted. */
async function inSession(session: Session): Promise<void> {
  const { world, store, databasePath, plan, problems, startMs, progress } = session
  const stop = new AbortController()
  const settled = Promise.withResolvers<void>()
  const report = (each: CrawlReport) => {
    if (each.kind === 'settled') settled.resolve()
    if (each.kind === 'problem' && each.code === 'internal') problems.push(textOf(each.message))
  }
  const input: CrawlInput = {
    ...{ databasePath, folder: jobsFolder, incomingFolder, quarantineFolder, software: 'Loupe/simulation' },
    replicas: [...replicas, checksumReplica],
    // The engine's main thread, which answers requests for indexes, is not part of the scenario: a run would wait an hour for each answer.
    settings: { ...defaultCrawlSettings, delayMs: 0, freeBytesMin: 0, deduplicationIndex: 'none' },
  }
  const engine = task({ world, report, signal: stop.signal, takePrinted: () => '' }, input)
  const archive = await openArchive({ store, world, replicas: input.replicas })
  const jobs = openJobs(store, world)
  const { configurationSubsetSize, jobsAtOnceMax } = plan
  const floor = openHarvestFloor({
    ...{
      store,
      world,
      archive,
      databasePath,
      jobs,
      isEngine: true,
      ready: settled.promise,
      channels: memoryChannels(),
    },
    ...{ monitor: loopMonitor(world.clock) },
    settings: () => ({ ...defaultGenerationSettings, configurationSubsetSize, jobsAtOnceMax }),
    reports: {
      onGeneration: ({ result }) => {
        if ('failure' in result) problems.push(`generation failed: ${textOf(result.failure)}`)
      },
      onStarted: () => undefined,
      onCounted: () => undefined,
      onProblem: (error) => problems.push(`a loop failed: ${String(error)}`),
    },
  })
  await define(floor, plan)
  while (!isDone(store, plan)) {
    const sinceMs = world.clock.elapsed() - startMs - progress.suspendedMs
    if (sinceMs > durationMsMax) {
      problems.push('the runs did not end')
      break
    }
    const due = progress.jumps.filter(({ atMs }) => atMs <= sinceMs)
    progress.jumps = progress.jumps.filter(({ atMs }) => atMs > sinceMs)
    for (const { byMs, isSuspend } of due) {
      if (isSuspend) {
        world.suspend(Math.abs(byMs))
        progress.suspendedMs += Math.abs(byMs)
      } else world.setClock(byMs)
    }
    await world.clock.sleep(1_000)
  }
  stop.abort()
  await Promise.all([engine, floor.close()])
}

/** Makes what is missing of the definitions: a power cut may have come at any point. */
async function define({ domains, schedules, templates, definitions }: Harvests, plan: DefinitionPlan): Promise<void> {
  if (templates.show('default').version === 1)
    templates.edit({ name: 'default', toml: 'scope = "domain"\nrobots = "ignore"\ndelayMs = 0\n' })
  await domains.addList(plan.domains.map(({ name }) => name).join('\n'))
  for (const { name, objectsMax, hasTrap } of plan.domains) {
    const [configuration] = domains.show(name).configurations
    if (configuration) domains.setConfiguration(name, { ...configuration, objectsMax })
    domains.edit({ domain: name, traps: hasTrap ? ['/page0$'] : [] })
  }
  if (!schedules.list().some(({ name }) => name === harvestName)) {
    const timing = { unit: 'minute', every: plan.everyMinutes, runs: plan.runs }
    schedules.add(harvestScheduleInput.parse({ name: harvestName, timing }))
  }
  if (definitions.list().length > 0) return
  const { harvest } = definitions.add(
    harvestInput.parse({
      ...{ name: harvestName, kind: 'selective', schedule: harvestName },
      configurations: plan.domains.map(({ name: domain }) => ({ domain })),
    }),
  )
  definitions.activate(harvest)
}

/** Whether all runs of the schedule were generated, and all of their jobs counted. */
function isDone(store: Store, { runs }: DefinitionPlan): boolean {
  const found = store
    .statement<Record<string, never>, { runs: number; open: number }>(
      `SELECT COALESCE(MAX(run), 0) AS runs, SUM(NOT EXISTS (SELECT 1 FROM job_statistics WHERE job_id = generated_job.job_id)) AS open
       FROM generated_job WHERE is_ready = 1`,
    )
    .get({})
  return found !== undefined && found.runs >= runs && found.open === 0
}

/** What must hold at the end, in sentences. */
function violationsIn(store: Store, plan: DefinitionPlan): string[] {
  const rows = store
    .statement<
      Record<string, never>,
      {
        job: number
        run: number
        isReady: number
        segments: number
        state: string
        error: string | null
        domain: string
        objects: number | null
        stopReason: string | null
      }
    >(
      `SELECT generated_job.job_id AS job, generated_job.run, is_ready AS isReady, job.run AS segments, job.state, job.error_text AS error,
              generated_configuration.domain, domain_result.objects, domain_result.stop_reason AS stopReason
       FROM generated_job JOIN job ON job.id = generated_job.job_id
       JOIN generated_configuration ON generated_configuration.job_id = generated_job.job_id
       LEFT JOIN domain_result ON domain_result.job_id = generated_job.job_id AND domain_result.domain = generated_configuration.domain
       ORDER BY generated_job.run, generated_configuration.domain`,
    )
    .all({})
  const expected = Array.from({ length: plan.runs }, (_, at) =>
    plan.domains.map(({ name }) => `run ${at + 1}: ${name}`),
  ).flat()
  const found = rows.map(({ run, domain }) => `run ${run}: ${domain}`)
  const wrong = [
    ...(JSON.stringify(found) === JSON.stringify(expected)
      ? []
      : [`the runs have ${found.join(', ')} and not ${expected.join(', ')}`]),
    ...rows.flatMap(({ job, isReady, segments, state, error }) => [
      ...(isReady === 1 ? [] : [`job ${job} is half generated`]),
      ...(segments === 1 ? [] : [`job ${job} was begun ${segments} times`]),
      ...(state === 'INACTIVE' && error === null ? [] : [`job ${job} is ${state}: ${error ?? 'no error'}`]),
    ]),
  ]
  for (const { job, domain, objects, stopReason } of rows) {
    const drawn = plan.domains.find(({ name }) => name === domain)
    if (!drawn) continue
    const { pages, objectsMax, hasTrap } = drawn
    const all = 1 + pages - Number(hasTrap)
    const limit = objectsMax ?? Infinity
    const [wanted, why] = all > limit ? [limit, 'CONFIG_OBJECT_LIMIT'] : [all, 'DOWNLOAD_COMPLETE']
    if (objects !== wanted || stopReason !== why)
      wrong.push(`job ${job} counted ${objects} of ${domain} (${stopReason}), and not ${wanted} (${why})`)
  }
  return wrong
}

/** A site whose home page links its pages. */
async function serve(connection: Connection, { pages }: ScenarioDomain): Promise<void> {
  const links = Array.from({ length: pages }, (_, at) => `<a href="/page${at}">${at}</a>`).join('')
  for (let held = ''; ;) {
    const bytes = await connection.read()
    if (!bytes) return
    held += Buffer.from(bytes).toString('latin1')
    for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
      const path = held.split(' ')[1] ?? '/'
      held = held.slice(end + 4)
      const body = path === '/' ? links : `page ${path}`
      const head = ['HTTP/1.1 200 OK', 'Content-Type: text/html', `Content-Length: ${Buffer.byteLength(body)}`]
      await connection.write(Buffer.from([...head, '', body].join('\r\n')))
    }
  }
}
