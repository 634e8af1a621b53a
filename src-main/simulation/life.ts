/** One harvest from its order to its end, on as many machines as its plan cuts the power of: the whole crawl engine on a seeded
 *  world, with a real database that survives each cut. It drives; what must hold is said in `invariants.ts`. */
import { join } from 'node:path'
import { harvestDefinition } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import { openJobs, type JobAction, type Jobs } from '../crawl/crawl.ts'
import { task, type CrawlInput, type CrawlReport } from '../crawl/crawl.thread.ts'
import { openStore } from '../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../world/seeded.ts'
import { DiskFault } from '../world/world.ts'
import { checksumReplica, incomingFolder, jobsFolder, replicas, type Evidence } from './evidence.ts'
import { mannersAt, type Manners } from './manners.ts'
import type { Manner, Measure, Plan, Trouble } from './plan.ts'
import type { Site } from './site.ts'
import { serveSite } from './siteServer.ts'

export interface LifeSetting {
  seed: number
  site: Site
  manner: Manner
  plan: Plan
  /** On the real disk, empty: for the database. */
  folder: string
  /** Called with what a machine that was just switched on finds: after each cut, and after one at the end. */
  examine(evidence: Evidence): Promise<void>
}

export interface Life extends Measure, Evidence {
  manners: Manners
  /** What the engine said that it never should. */
  bugs: string[]
  machines: number
  wasAborted: boolean
}

/** How often the world outside looks at the engine. */
const lookMs = 100
/** Time for a person to notice that a job waits for him, or that the engine has gone. */
const noticeMs = 1_000
/** The longest harvest of a drawn site takes minutes. Beyond this something waits for what never comes. */
const durationMsMax = 3_600_000
/** More than any plan has cuts, closings and troubles. */
const machinesMax = 60

export async function live(setting: LifeSetting): Promise<Life> {
  const { site, manner, plan, folder } = setting
  let world = seededWorld({ seed: setting.seed })
  serveSite(site, world.network, () => world.clock)
  const fate = newFate(plan, manner, world.clock.elapsed())
  const manners = mannersAt(site, { ...manner, robotsToken: 'Loupe' })
  const input: CrawlInput = {
    databasePath: join(folder, 'loupe.db'),
    folder: jobsFolder,
    incomingFolder,
    replicas: [...replicas, checksumReplica],
    settings: manner.settings,
    software: 'Loupe/simulation',
  }
  const store = openStore(input.databasePath)
  const job = openJobs(store, world).create(definitionOf(site, manner))
  let [calls, machines] = [0, 0]
  for (let hasEnded = false; !hasEnded; machines += 1) {
    if (machines === machinesMax)
      throw new Error(
        `the job did not end on ${machinesMax} machines: ${JSON.stringify(openJobs(store, world).summary(job))}`,
      )
    const session = inSession({ world, manners, input, fate, jobs: openJobs(store, world), job })
    const outcome = await world.runUntilCut(session, plan.cutsAfterCalls[machines] ?? Infinity)
    calls += world.calls
    hasEnded = outcome?.value === 'ended'
    if (outcome && !hasEnded) continue
    // At the end too: what was written last must have reached the disk.
    world = world.crash()
    manners.forgetConnections()
    for (const heal of fate.heals.values()) heal()
    await setting.examine({ world, store, job })
    for (const trouble of fate.heals.keys()) fate.heals.set(trouble, begin(world, trouble))
  }
  const durationMs = Math.floor(world.clock.elapsed() - fate.startMs)
  return { world, store, job, manners, bugs: fate.bugs, calls, durationMs, machines, wasAborted: fate.wasAborted }
}

function definitionOf({ seeds, scope }: Site, { delayMs, connectionsPerHost, workers, maxObjects }: Manner) {
  const limits = maxObjects === undefined ? {} : { maxObjects }
  return harvestDefinition.parse({ seeds, scope, delayMs, connectionsPerHost, workers, ...limits })
}

/** What the plan has in store, and how far it has come true. */
interface Fate {
  startMs: number
  closings: number[]
  troubles: Trouble[]
  wishes: Plan['wishes']
  clockJumps: Plan['clockJumps']
  furtherRuns: Manner['furtherRuns']
  /** How the troubles of the moment end. */
  heals: Map<Trouble, () => void>
  /** Since when the job has waited for a person. */
  pausedMs: number | undefined
  wasAborted: boolean
  bugs: string[]
}

function newFate({ closedAtMs, troubles, wishes, clockJumps }: Plan, { furtherRuns }: Manner, startMs: number): Fate {
  return {
    startMs,
    closings: [...closedAtMs],
    troubles: [...troubles],
    wishes: [...wishes],
    clockJumps: [...clockJumps],
    furtherRuns: [...furtherRuns],
    heals: new Map(),
    pausedMs: undefined,
    wasAborted: false,
    bugs: [],
  }
}

interface Session {
  world: SeededWorld
  manners: Manners
  input: CrawlInput
  fate: Fate
  jobs: Jobs
  job: number
}

/** The engine from its start until it is closed, because the plan says so or the harvest has ended, or ends by itself. */
async function inSession(session: Session): Promise<'closed' | 'ended'> {
  const { world, manners, input, fate } = session
  const stop = new AbortController()
  let isRunning = true
  const report = (said: CrawlReport) => hear(said, fate)
  const engine = task({ world: manners.over(world), report, signal: stop.signal, takePrinted: () => '' }, input)
    .catch((error: unknown) => {
      // What the disk refuses at the start ends the engine, and a person starts it again.
      if (!(error instanceof DiskFault)) throw error
    })
    .finally(() => {
      isRunning = false
    })
  const outside = async () => {
    while (isRunning && !isToBeClosed(session)) {
      happen(session)
      await world.clock.sleep(lookMs)
    }
    const endedByItself = !isRunning
    stop.abort()
    await engine
    if (endedByItself) await world.clock.sleep(noticeMs)
    happen(session)
  }
  await Promise.all([engine, outside()])
  return hasEnded(session) ? 'ended' : 'closed'
}

function hear(said: CrawlReport, { bugs }: Fate): void {
  if (said.kind === 'problem' && said.code === 'internal') bugs.push(said.text)
}

/** What befalls the engine from outside, up to this moment. */
function happen(session: Session): void {
  const { world, fate, jobs, job } = session
  const sinceMs = sinceBegin(session)
  if (sinceMs > durationMsMax) throw new Error(`the job does not end: ${JSON.stringify(jobs.summary(job))}`)
  for (const [trouble, heal] of fate.heals) {
    if (trouble.toMs > sinceMs) continue
    heal()
    fate.heals.delete(trouble)
  }
  for (const trouble of takeDue(fate.troubles, ({ fromMs }) => fromMs <= sinceMs))
    fate.heals.set(trouble, begin(world, trouble))
  for (const { byMs } of takeDue(fate.clockJumps, ({ atMs }) => atMs <= sinceMs)) {
    world.setClock(byMs)
    session.manners.forgivePauses()
  }
  for (const { action } of takeDue(fate.wishes, ({ atMs }) => atMs <= sinceMs)) wish(session, action)
  resumeWhatWaits(session)
  runAgain(session)
}

/** Returns how to end it. */
function begin({ disk }: SeededWorld, { what }: Trouble): () => void {
  if ('failure' in what) return disk.fail(what.failure)
  const takenBytes = disk.freeBytesLeft - what.freeBytesLeft
  disk.freeBytesLeft -= takenBytes
  return () => {
    disk.freeBytesLeft += takenBytes
  }
}

function wish({ fate, jobs, job }: Session, action: JobAction): void {
  try {
    jobs.act(job, action)
    fate.wasAborted ||= action === 'abort'
  } catch (error) {
    // Not possible in the state that the job is in: the person is told so.
    if (!(error instanceof Fault)) throw error
  }
}

/** What has ended well is begun again, as often as it is to be. */
function runAgain(session: Session): void {
  const { fate, jobs, job, manners } = session
  const again = fate.furtherRuns[0]
  if (again === undefined || !isAtRest(session) || jobs.summary(job).reason !== null) return
  fate.furtherRuns.shift()
  jobs.act(job, again)
  // Rules may be new by now: until they are read again, the pause is the harvest's own.
  manners.forgivePauses()
}

/** Whoever paused a job goes on with it, and whoever is told of a full disk makes room. */
function resumeWhatWaits(session: Session): void {
  const { world, fate, jobs, job } = session
  const waits = jobs.summary(job).state === 'PAUSED' && fate.heals.size === 0
  fate.pausedMs = waits ? (fate.pausedMs ?? world.clock.elapsed()) : undefined
  if (fate.pausedMs !== undefined && world.clock.elapsed() - fate.pausedMs >= noticeMs) wish(session, 'resume')
}

function isToBeClosed(session: Session): boolean {
  const sinceMs = sinceBegin(session)
  return takeDue(session.fate.closings, (atMs) => atMs <= sinceMs).length > 0 || isAtRest(session)
}

/** A job that could not store its files rests too, and goes on at the next start. */
function isAtRest({ fate, jobs, job }: Session): boolean {
  return fate.heals.size === 0 && jobs.summary(job).state === 'INACTIVE'
}

function hasEnded(session: Session): boolean {
  return isAtRest(session) && session.fate.furtherRuns.length === 0 && session.jobs.summary(session.job).reason === null
}

function sinceBegin({ world, fate }: Session): number {
  return Math.floor(world.clock.elapsed() - fate.startMs)
}

function takeDue<Each>(waiting: Each[], isDue: (each: Each) => boolean): Each[] {
  const due = waiting.filter(isDue)
  waiting.splice(0, waiting.length, ...waiting.filter((each) => !due.includes(each)))
  return due
}
