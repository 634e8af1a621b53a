/** One harvest from its order to its end, on as many machines as its plan cuts the power of: the whole crawl engine on a seeded
 *  world, with a real database that survives each cut. It drives; what must hold is said in `invariants.ts`. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { harvestDefinition, jobSummary, jobWhole } from '../contract/contract.ts'
import { Fault } from '../contract/calls/faults.ts'
import {
  openCredentials,
  openJobs,
  openLiveControl,
  openSchedules,
  type JobAction,
  type Jobs,
  type LiveControl,
} from '../crawl/crawl.ts'
import { task, type CrawlInput, type CrawlReport } from '../crawl/crawl.thread.ts'
import { openStore, type Store } from '../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../world/testing/seeded.ts'
import { DiskFault } from '../world/world.ts'
import { made } from './changes.ts'
import { checksumReplica, incomingFolder, jobsFolder, quarantineFolder, replicas, type Evidence } from './evidence.ts'
import { mannersAt, type Manners } from './manners.ts'
import { account, loginTo } from './members.ts'
import type { Jump, Manner, Measure, Occasion, Plan, Trouble } from './plan.ts'
import type { Site } from './site.ts'
import { serveSite } from './siteServer.ts'
import { standingsOf, type Standing } from './standing.ts'
import { watchOver, type Watch } from './watch.ts'

export interface LifeSetting {
  seed: number
  site: Site
  manner: Manner
  plan: Plan
  /** On the real disk, empty: for the database. */
  folder: string
  /** A database without a job. */
  emptyDatabase: Uint8Array
  /** It is no harvest from its order on: it goes on with what another machine left. */
  from?: { files: ReadonlyMap<string, Uint8Array>; database: Uint8Array; job: number; startMs: number }
  /** Called with what a machine that was just switched on finds: after each cut, and after one at the end. */
  examine(evidence: Evidence): Promise<void>
}

export interface Life extends Measure, Evidence {
  manners: Manners
  watch: Watch
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
/** A continuous job that has not seen everything by then never does. */
const endlessMs = durationMsMax / 3
/** More than any plan has cuts, closings and troubles. */
const machinesMax = 60

export async function live(setting: LifeSetting): Promise<Life> {
  const { site, manner, plan, folder, from } = setting
  let world = seededWorld({ seed: setting.seed, ...(from && { startMs: from.startMs }) })
  serveSite(site, world.network, () => world.clock)
  const fate = newFate(plan, manner, world.clock.elapsed())
  const input: CrawlInput = {
    databasePath: join(folder, 'loupe.db'),
    folder: jobsFolder,
    incomingFolder,
    quarantineFolder,
    replicas: [...replicas, checksumReplica],
    settings: manner.settings,
    software: 'Loupe/simulation',
  }
  writeFileSync(input.databasePath, from?.database ?? setting.emptyDatabase)
  if (from) await world.run(written(world, from.files))
  const store = openStore(input.databasePath)
  if (site.hosts.some(({ members }) => members)) await world.run(keepPassword({ store, world, folder }))
  const job = from?.job ?? openJobs(store, world).create(definitionOf(site, manner))
  const watch = watchOver(store, job, manner, () => world.clock)
  const manners = mannersAt(site, { ...manner, robotsToken: 'Loupe', onAsk: watch.ask })
  const lasting = { manner, manners, watch, input, fate, store, job, standing: standingsOf(store, job) }
  let [calls, machines] = [0, 0]
  for (let hasEnded = false; !hasEnded; machines += 1) {
    if (machines === machinesMax)
      throw new Error(`the job did not end on ${machinesMax} machines: ${JSON.stringify(lasting.standing())}`)
    const liveControl = openLiveControl(world, store, input.databasePath)
    const onMs = world.clock.elapsed()
    const session = inSession({ ...lasting, world, onMs, jobs: openJobs(store, world), live: liveControl })
    const jump = (each: Jump) => carryOut(each, { world, fate, watch })
    for (const each of jumpsAt(fate, (when) => 'beforeMachine' in when && when.beforeMachine === machines)) jump(each)
    for (const each of fate.jumps)
      if ('call' in each.when && each.when.machine === machines) world.beforeCall(each.when.call, () => jump(each))
    const outcome = await world.runUntilCut(session, plan.cutsAfterCalls[machines] ?? Infinity)
    calls += world.calls
    watch.stopped()
    hasEnded = outcome?.value === 'ended'
    if (outcome && !hasEnded) continue
    // At the end too: what was written last must have reached the disk.
    world = world.crash()
    manners.forgetConnections()
    for (const heal of fate.heals.values()) heal()
    await setting.examine({ world, store, job, manner })
    for (const trouble of fate.heals.keys()) fate.heals.set(trouble, begin(world, trouble))
  }
  const durationMs = sinceBegin({ world, fate })
  const { bugs, wasAborted } = fate
  return { world, store, job, manner, manners, watch, bugs, calls, durationMs, machines, wasAborted }
}

/** Writes the files of another machine on the disk of this one. */
async function written(world: SeededWorld, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    await world.disk.makeFolder(dirname(path))
    await world.disk.write(path, bytes)
  }
  await world.disk.makeFolder(jobsFolder)
}

/** Beside the database, as where there is no key store. */
async function keepPassword(place: { store: Store; world: SeededWorld; folder: string }): Promise<void> {
  await place.world.disk.makeFolder(place.folder)
  await openCredentials(place).set(account)
}

function definitionOf({ seeds, scope, hosts }: Site, manner: Manner) {
  const { delayMs, connectionsPerHost, workers, maxObjects, maxSeconds, schedule, continuous } = manner
  const areas = hosts.flatMap(({ origin, members }) => (members ? [loginTo(origin, members)] : []))
  return harvestDefinition.parse({
    ...{ seeds, scope, delayMs, connectionsPerHost, workers },
    ...(maxObjects === undefined ? {} : { maxObjects }),
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
    ...(schedule && { schedule }),
    ...(continuous && { recheck: continuous.recheck }),
    ...(areas.length > 0 && { login: { areas } }),
  })
}

/** What the plan has in store, and how far it has come true. */
interface Fate {
  startMs: number
  closings: number[]
  troubles: Trouble[]
  wishes: Plan['wishes']
  jumps: Jump[]
  /** How long the machine was suspended in all. The moments of the plan do not count that time. */
  suspendedMs: number
  changes: Plan['changes']
  furtherRuns: Manner['furtherRuns']
  /** Nothing starts the job by itself any more. */
  isUnscheduled: boolean
  /** How the troubles of the moment end. */
  heals: Map<Trouble, () => void>
  /** Since when the job has waited for a person. */
  pausedMs: number | undefined
  wasAborted: boolean
  bugs: string[]
}

function newFate(plan: Plan, { furtherRuns, schedule }: Manner, startMs: number): Fate {
  const { closedAtMs, troubles, wishes, jumps, changes } = plan
  return {
    startMs,
    closings: [...closedAtMs],
    troubles: [...troubles],
    wishes: [...wishes],
    jumps: [...jumps],
    suspendedMs: 0,
    changes: [...changes],
    furtherRuns: [...furtherRuns],
    isUnscheduled: schedule === undefined,
    heals: new Map(),
    pausedMs: undefined,
    wasAborted: false,
    bugs: [],
  }
}

interface Session {
  world: SeededWorld
  manner: Manner
  manners: Manners
  watch: Watch
  input: CrawlInput
  fate: Fate
  store: Store
  jobs: Jobs
  live: LiveControl
  job: number
  /** When this machine was switched on. */
  onMs: number
  standing(): Standing
}

/** The engine from its start until it is closed, because the plan says so or the harvest has ended, or ends by itself. */
async function inSession(session: Session): Promise<'closed' | 'ended'> {
  const { world, manners, input, fate, live } = session
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
      await happen(session)
      await world.clock.sleep(lookMs)
    }
    const endedByItself = !isRunning
    stop.abort()
    await engine
    if (endedByItself) await world.clock.sleep(noticeMs)
    await happen(session)
    live.close()
  }
  await Promise.all([engine, outside()])
  return hasEnded(session) ? 'ended' : 'closed'
}

/** Reads the job as clients do, and reports what the contract refuses: no client could show such a job. */
function showAll({ jobs, job, fate: { bugs } }: Session): void {
  const shown = [...jobs.list(), jobs.summary(job)].map((summary) => jobSummary.safeParse(summary))
  const whole = jobWhole.safeParse({ ...jobs.show(job), files: [], fileBytes: 0 })
  for (const { error } of [...shown, whole]) if (error) bugs.push(`The contract refuses the job: ${error.message}`)
}

function hear(said: CrawlReport, { bugs }: Fate): void {
  if (said.kind === 'problem' && said.code === 'internal') bugs.push(said.text)
}

/** What befalls the engine from outside, up to this moment. */
async function happen(session: Session): Promise<void> {
  const { world, fate, watch } = session
  const sinceMs = sinceBegin(session)
  if (sinceMs > durationMsMax) throw new Error(`the job does not end: ${JSON.stringify(session.standing())}`)
  if (watch.look()) showAll(session)
  for (const [trouble, heal] of fate.heals) {
    if (trouble.toMs > sinceMs) continue
    heal()
    fate.heals.delete(trouble)
  }
  for (const trouble of takeDue(fate.troubles, ({ fromMs }) => fromMs <= sinceMs))
    fate.heals.set(trouble, begin(world, trouble))
  for (const jump of jumpsAt(fate, (when) => 'atMs' in when && when.atMs <= sinceMs)) carryOut(jump, session)
  for (const { action } of takeDue(fate.wishes, ({ atMs }) => atMs <= sinceMs))
    if (wish(session, action)) fate.wasAborted ||= action === 'abort'
  await changeQueue(session)
  resumeWhatWaits(session)
  stopWhatGoesOn(session)
  unschedule(session)
  runAgain(session)
}

function jumpsAt(fate: Fate, isNow: (when: Occasion) => boolean): Jump[] {
  return takeDue(fate.jumps, ({ when }) => isNow(when))
}

function carryOut({ kind, byMs }: Jump, { world, fate, watch }: Pick<Session, 'world' | 'fate' | 'watch'>): void {
  if (kind === 'clock') return world.setClock(byMs)
  world.suspend(byMs)
  fate.suspendedMs += byMs
  watch.suspended(byMs)
}

/** What the power cut in the middle of it is asked for once more: nobody was told that it was done. */
async function changeQueue({ fate, watch, live, job, ...session }: Session): Promise<void> {
  for (let due = fate.changes[0]; due && due.atMs <= sinceBegin({ ...session, fate }); due = fate.changes[0]) {
    watch.changing()
    if (await made(live, job, due.change)) watch.changed(due.change)
    fate.changes.shift()
  }
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

function wish({ jobs, job }: Session, action: JobAction): boolean {
  try {
    jobs.act(job, action)
    return true
  } catch (error) {
    // Not possible in the state that the job is in: the person is told so.
    if (!(error instanceof Fault)) throw error
    return false
  }
}

/** What has ended well is begun again, as often as it is to be. */
function runAgain(session: Session): void {
  const { fate, jobs, job, manners } = session
  const again = fate.furtherRuns[0]
  if (again === undefined || !isAtRest(session) || session.standing().error !== null) return
  fate.furtherRuns.shift()
  jobs.act(job, again)
  // Rules may be new by now: until they are read again, the pause is the harvest's own.
  manners.forgivePauses()
}

/** Whoever paused a job goes on with it, and whoever is told of a full disk makes room. */
function resumeWhatWaits(session: Session): void {
  const { world, fate } = session
  const waits = /^PAUSED/.test(session.standing().state) && fate.heals.size === 0
  fate.pausedMs = waits ? (fate.pausedMs ?? world.clock.elapsed()) : undefined
  if (fate.pausedMs !== undefined && world.clock.elapsed() - fate.pausedMs >= noticeMs) wish(session, 'resume')
}

/** A continuous job is stopped when it has lived long enough and has looked at whatever it knows; a site that may be asked so
 *  seldom that its pages expire sooner than all have had their turn is never looked at whole. */
function stopWhatGoesOn(session: Session): void {
  const { manner, fate } = session
  if (!manner.continuous || sinceBegin(session) < manner.continuous.lifeMs || fate.heals.size > 0) return
  const { state, unseen, started } = session.standing()
  const isEndless = sinceBegin(session) > endlessMs
  if (state === 'ACTIVE' && started && (unseen === 0 || isEndless)) wish(session, 'abort')
}

/** One run by the windows is enough; what has gone wrong is begun again by the next. */
function unschedule(session: Session): void {
  const { fate, store, world, job } = session
  const { state, started, error } = session.standing()
  if (fate.isUnscheduled || state !== 'INACTIVE' || !started || error !== null || fate.heals.size > 0) return
  openSchedules(store, world).set(job, null)
  fate.isUnscheduled = true
}

function isToBeClosed(session: Session): boolean {
  const sinceMs = sinceBegin(session)
  if (takeDue(session.fate.closings, (atMs) => atMs <= sinceMs).length > 0) return true
  // What it could not store it offers again when it is switched on, which takes it a moment.
  const isSeen = session.standing().error === null || session.world.clock.elapsed() - session.onMs >= noticeMs
  return isSeen && isAtRest(session)
}

/** A job that could not store its files rests too, and goes on at the next start. */
function isAtRest({ fate, standing }: Session): boolean {
  const { state, error } = standing()
  return fate.heals.size === 0 && state === 'INACTIVE' && (fate.isUnscheduled || error !== null)
}

function hasEnded(session: Session): boolean {
  return isAtRest(session) && session.fate.furtherRuns.length === 0 && session.standing().error === null
}

function sinceBegin({ world, fate }: Pick<Session, 'world' | 'fate'>): number {
  return Math.floor(world.clock.elapsed() - fate.startMs - fate.suspendedMs)
}

function takeDue<Each>(waiting: Each[], isDue: (each: Each) => boolean): Each[] {
  const due = waiting.filter(isDue)
  waiting.splice(0, waiting.length, ...waiting.filter((each) => !due.includes(each)))
  return due
}
