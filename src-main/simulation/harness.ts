/** Runs one harvest from its creation to its end: the whole crawl engine on a seeded world, with a real database. Each power cut of the
 *  plan ends one simulated machine and starts the next. What must hold is in `invariants.ts`. */
import { textOf } from '../contract/words/render.ts'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { harvestDefinition } from '../contract/services/definition.ts'
import { jobSummary } from '../contract/services/jobSummary.ts'
import { jobWhole } from '../contract/services/jobDetails.ts'
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
import { applyChange } from './queueChanges.ts'
import { checksumReplica, incomingFolder, jobsFolder, quarantineFolder, replicas, type Evidence } from './evidence.ts'
import { politenessCheckOf, type PolitenessCheck } from './politenessCheck.ts'
import { account, loginTo } from './members.ts'
import type { Jump, HarvestOptions, Measure, Trigger, Plan, TimedFault } from './plan.ts'
import type { Site } from './site.ts'
import { serveSite } from './siteServer.ts'
import { jobStatusOf, type JobStatus } from './jobStatus.ts'
import { watchOver, type Watch } from './stateWatch.ts'

/** What a harvest is run with. The same setting gives the same run. */
export interface HarnessSetting {
  seed: number
  site: Site
  options: HarvestOptions
  plan: Plan
  /** An empty folder on the real disk, for the database. */
  folder: string
  /** A database without a job. */
  emptyDatabase: Uint8Array
  /** Continues a harvest from the files and database of another machine instead of creating one. */
  from?: { files: ReadonlyMap<string, Uint8Array>; database: Uint8Array; job: number; startMs: number }
  /** Called with the state of the disk after each power cut, including one at the end. */
  examine(evidence: Evidence): Promise<void>
}

/** The state at the end of a harvest, and what was observed on the way. The caller closes the database. */
export interface HarnessRun extends Measure, Evidence {
  politeness: PolitenessCheck
  watch: Watch
  /** Internal errors that the engine reported. */
  bugs: string[]
  machines: number
  wasAborted: boolean
}

/** Interval at which the plan is applied and the job is observed. */
const checkEveryMs = 100
/** Time until the simulated user reacts to a paused job or an engine that ended. */
const noticeMs = 1_000
/** The longest harvest of a generated site takes minutes; a longer one hangs. */
const durationMsMax = 3_600_000
/** A continuous job that has not visited everything by then never will. */
const endlessMs = durationMsMax / 3
/** More than the power cuts, shutdowns and faults of any plan together. */
const machinesMax = 60

/** Runs a harvest to its end. Throws when it takes longer than any harvest of a generated site should, or needs
 *  too many machines. */
export async function runHarvest(setting: HarnessSetting): Promise<HarnessRun> {
  const { site, options, plan, folder, from } = setting
  let world = seededWorld({ seed: setting.seed, ...(from && { startMs: from.startMs }) })
  serveSite(site, world.network, () => world.clock)
  const progress = newProgress(plan, options, world.clock.elapsed())
  const input: CrawlInput = {
    databasePath: join(folder, 'loupe.db'),
    folder: jobsFolder,
    incomingFolder,
    quarantineFolder,
    replicas: [...replicas, checksumReplica],
    settings: options.settings,
    software: 'Loupe/simulation',
  }
  writeFileSync(input.databasePath, from?.database ?? setting.emptyDatabase)
  if (from) await world.run(written(world, from.files))
  const store = openStore(input.databasePath)
  if (site.hosts.some(({ members }) => members)) await world.run(keepPassword({ store, world, folder }))
  const job = from?.job ?? openJobs(store, world).create(definitionOf(site, options))
  const watch = watchOver(store, job, options, () => world.clock)
  const politeness = politenessCheckOf(site, { ...options, robotsToken: 'Loupe', onAsk: watch.ask })
  const lasting = { options, politeness, watch, input, progress, store, job, jobStatus: jobStatusOf(store, job) }
  let [calls, machines] = [0, 0]
  for (let hasEnded = false; !hasEnded; machines += 1) {
    if (machines === machinesMax)
      throw new Error(`the job did not end on ${machinesMax} machines: ${JSON.stringify(lasting.jobStatus())}`)
    const liveControl = openLiveControl(world, store, input.databasePath)
    const onMs = world.clock.elapsed()
    const session = inSession({ ...lasting, world, onMs, jobs: openJobs(store, world), live: liveControl })
    const jump = (each: Jump) => carryOut(each, { world, progress, watch })
    for (const each of jumpsAt(progress, (when) => 'beforeMachine' in when && when.beforeMachine === machines))
      jump(each)
    for (const each of progress.jumps)
      if ('call' in each.when && each.when.machine === machines) world.beforeCall(each.when.call, () => jump(each))
    const outcome = await world.runUntilCut(session, plan.cutsAfterCalls[machines] ?? Infinity)
    calls += world.calls
    watch.stopped()
    hasEnded = outcome?.value === 'ended'
    if (outcome && !hasEnded) continue
    // Also at the end: everything written must have reached the disk.
    world = world.crash()
    politeness.forgetConnections()
    for (const heal of progress.heals.values()) heal()
    await setting.examine({ world, store, job, options })
    for (const fault of progress.heals.keys()) progress.heals.set(fault, begin(world, fault))
  }
  const durationMs = sinceBegin({ world, progress })
  const { bugs, wasAborted } = progress
  return { world, store, job, options, politeness, watch, bugs, calls, durationMs, machines, wasAborted }
}

/** Copies the files of another machine to the disk of this one. */
async function written(world: SeededWorld, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    await world.disk.makeFolder(dirname(path))
    await world.disk.write(path, bytes)
  }
  await world.disk.makeFolder(jobsFolder)
}

/** Stores the password in the file next to the database, as on a system without a key store. */
async function keepPassword(place: { store: Store; world: SeededWorld; folder: string }): Promise<void> {
  await place.world.disk.makeFolder(place.folder)
  await openCredentials(place).set(account)
}

function definitionOf({ seeds, scope, hosts }: Site, options: HarvestOptions) {
  const { delayMs, connectionsPerHost, workers, order, maxObjects, maxSeconds, schedule, continuous } = options
  const areas = hosts.flatMap(({ origin, members }) => (members ? [loginTo(origin, members)] : []))
  return harvestDefinition.parse({
    ...{ seeds, scope, delayMs, connectionsPerHost, workers },
    ...(order && { order }),
    ...(maxObjects === undefined ? {} : { maxObjects }),
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
    ...(schedule && { schedule }),
    ...(continuous && { recheck: continuous.recheck }),
    ...(areas.length > 0 && { login: { areas } }),
  })
}

/** What remains of the plan, and what it has caused so far. */
interface PlanProgress {
  startMs: number
  closings: number[]
  faults: TimedFault[]
  userActions: Plan['userActions']
  jumps: Jump[]
  /** Total time in suspend. Times of the plan do not count it. */
  suspendedMs: number
  changes: Plan['changes']
  furtherRuns: HarvestOptions['furtherRuns']
  /** The schedule of the job has been removed. */
  isUnscheduled: boolean
  /** Ends each fault that is active now. */
  heals: Map<TimedFault, () => void>
  /** When the job began to wait for the user. */
  pausedMs: number | undefined
  wasAborted: boolean
  bugs: string[]
}

function newProgress(plan: Plan, { furtherRuns, schedule }: HarvestOptions, startMs: number): PlanProgress {
  const { closedAtMs, faults, userActions, jumps, changes } = plan
  return {
    startMs,
    closings: [...closedAtMs],
    faults: [...faults],
    userActions: [...userActions],
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

/** One machine from its start to the next power cut, shutdown, or the end. */
interface Session {
  world: SeededWorld
  options: HarvestOptions
  politeness: PolitenessCheck
  watch: Watch
  input: CrawlInput
  progress: PlanProgress
  store: Store
  jobs: Jobs
  live: LiveControl
  job: number
  /** Start of this machine. */
  onMs: number
  jobStatus(): JobStatus
}

/** Runs the engine until the plan closes it, the harvest has ended, or it ends by itself. */
async function inSession(session: Session): Promise<'closed' | 'ended'> {
  const { world, politeness, input, progress, live } = session
  const stop = new AbortController()
  let isRunning = true
  const report = (each: CrawlReport) => noteReport(each, progress)
  const engine = task({ world: politeness.over(world), report, signal: stop.signal, takePrinted: () => '' }, input)
    .catch((error: unknown) => {
      // A disk fault at the start ends the engine; the user starts it again.
      if (!(error instanceof DiskFault)) throw error
    })
    .finally(() => {
      isRunning = false
    })
  const outside = async () => {
    while (isRunning && !isToBeClosed(session)) {
      await applyPlan(session)
      await world.clock.sleep(checkEveryMs)
    }
    const endedByItself = !isRunning
    stop.abort()
    await engine
    if (endedByItself) await world.clock.sleep(noticeMs)
    await applyPlan(session)
    live.close()
  }
  await Promise.all([engine, outside()])
  return hasEnded(session) ? 'ended' : 'closed'
}

/** Reads the job as clients do, and reports what the contract refuses: no client could show such a job. */
function showAll({ jobs, job, progress: { bugs } }: Session): void {
  const shown = [...jobs.list(), jobs.summary(job)].map((summary) => jobSummary.safeParse(summary))
  const whole = jobWhole.safeParse({ ...jobs.show(job), files: [], fileBytes: 0 })
  for (const { error } of [...shown, whole]) if (error) bugs.push(`The contract refuses the job: ${error.message}`)
}

/** Keeps internal errors: they are bugs whatever the disturbance. */
function noteReport(report: CrawlReport, { bugs }: PlanProgress): void {
  if (report.kind === 'problem' && report.code === 'internal') bugs.push(textOf(report.message))
}

/** Applies everything of the plan that is due, as users, clocks and disks do. */
async function applyPlan(session: Session): Promise<void> {
  const { world, progress, watch } = session
  const sinceMs = sinceBegin(session)
  if (sinceMs > durationMsMax) throw new Error(`the job does not end: ${JSON.stringify(session.jobStatus())}`)
  if (watch.check()) showAll(session)
  for (const [fault, heal] of progress.heals) {
    if (fault.toMs > sinceMs) continue
    heal()
    progress.heals.delete(fault)
  }
  for (const fault of takeDue(progress.faults, ({ fromMs }) => fromMs <= sinceMs))
    progress.heals.set(fault, begin(world, fault))
  for (const jump of jumpsAt(progress, (when) => 'atMs' in when && when.atMs <= sinceMs)) carryOut(jump, session)
  for (const { action } of takeDue(progress.userActions, ({ atMs }) => atMs <= sinceMs))
    if (act(session, action)) progress.wasAborted ||= action === 'abort'
  await changeQueue(session)
  resumeWhatWaits(session)
  stopWhatGoesOn(session)
  unschedule(session)
  runAgain(session)
}

/** Takes the clock jumps that are due from the plan. */
function jumpsAt(progress: PlanProgress, isNow: (when: Trigger) => boolean): Jump[] {
  return takeDue(progress.jumps, ({ when }) => isNow(when))
}

/** Moves the clocks. Times of the plan and of the watch do not count a suspend. */
function carryOut(
  { kind, byMs }: Jump,
  { world, progress, watch }: Pick<Session, 'world' | 'progress' | 'watch'>,
): void {
  if (kind === 'clock') return world.setClock(byMs)
  world.suspend(byMs)
  progress.suspendedMs += byMs
  watch.suspended(byMs)
}

/** A change that a power cut interrupted is repeated, since the user saw no confirmation. */
async function changeQueue({ progress, watch, live, job, ...session }: Session): Promise<void> {
  for (
    let due = progress.changes[0];
    due && due.atMs <= sinceBegin({ ...session, progress });
    due = progress.changes[0]
  ) {
    watch.changing()
    if (await applyChange(live, job, due.change)) watch.changed(due.change)
    progress.changes.shift()
  }
}

/** Starts a fault; returns the function that ends it. */
function begin({ disk }: SeededWorld, { what }: TimedFault): () => void {
  if ('failure' in what) return disk.fail(what.failure)
  const takenBytes = disk.freeBytesLeft - what.freeBytesLeft
  disk.freeBytesLeft -= takenBytes
  return () => {
    disk.freeBytesLeft += takenBytes
  }
}

/** Performs an action on the job. Returns false when it is refused. */
function act({ jobs, job }: Session, action: JobAction): boolean {
  try {
    jobs.act(job, action)
    return true
  } catch (error) {
    // Refused in the current state of the job, as a user would see.
    if (!(error instanceof Fault)) throw error
    return false
  }
}

/** Starts a job again that ended normally, as often as the plan says. */
function runAgain(session: Session): void {
  const { progress, jobs, job, politeness } = session
  const again = progress.furtherRuns[0]
  if (again === undefined || !isAtRest(session) || session.jobStatus().error !== null) return
  progress.furtherRuns.shift()
  jobs.act(job, again)
  // Rules may have changed: until robots.txt is read again, only the pause of the harvest is known.
  politeness.forgivePauses()
}

/** Resumes a paused job; after a full disk, once there is room again. */
function resumeWhatWaits(session: Session): void {
  const { world, progress } = session
  const waits = /^PAUSED/.test(session.jobStatus().state) && progress.heals.size === 0
  progress.pausedMs = waits ? (progress.pausedMs ?? world.clock.elapsed()) : undefined
  if (progress.pausedMs !== undefined && world.clock.elapsed() - progress.pausedMs >= noticeMs) act(session, 'resume')
}

/** Stops a continuous job after its time, once it has visited every known URL. On a slow site pages may expire before all others had their
 *  turn, so it also ends after `endlessMs`. */
function stopWhatGoesOn(session: Session): void {
  const { options, progress } = session
  if (!options.continuous || sinceBegin(session) < options.continuous.lifeMs || progress.heals.size > 0) return
  const { state, unseen, started } = session.jobStatus()
  const isEndless = sinceBegin(session) > endlessMs
  if (state === 'ACTIVE' && started && (unseen === 0 || isEndless)) act(session, 'abort')
}

/** Removes the schedule after one complete run. */
function unschedule(session: Session): void {
  const { progress, store, world, job } = session
  const { state, started, error } = session.jobStatus()
  if (progress.isUnscheduled || state !== 'INACTIVE' || !started || error !== null || progress.heals.size > 0) return
  openSchedules(store, world).set(job, null)
  progress.isUnscheduled = true
}

/** True when the plan closes the engine now, or nothing is left to wait for. */
function isToBeClosed(session: Session): boolean {
  const sinceMs = sinceBegin(session)
  if (takeDue(session.progress.closings, (atMs) => atMs <= sinceMs).length > 0) return true
  // A job that could not store its files retries at the next start, which takes a moment.
  const isSeen = session.jobStatus().error === null || session.world.clock.elapsed() - session.onMs >= noticeMs
  return isSeen && isAtRest(session)
}

/** A job that could not store its files is at rest too, and continues at the next start. */
function isAtRest({ progress, jobStatus }: Session): boolean {
  const { state, error } = jobStatus()
  return progress.heals.size === 0 && state === 'INACTIVE' && (progress.isUnscheduled || error !== null)
}

/** True when the job has ended and no further run is planned. */
function hasEnded(session: Session): boolean {
  return isAtRest(session) && session.progress.furtherRuns.length === 0 && session.jobStatus().error === null
}

/** Whole milliseconds since the start of the harvest, without suspends. */
function sinceBegin({ world, progress }: Pick<Session, 'world' | 'progress'>): number {
  return Math.floor(world.clock.elapsed() - progress.startMs - progress.suspendedMs)
}

/** Removes the due elements from a list and returns them, in order. */
function takeDue<Each>(waiting: Each[], isDue: (each: Each) => boolean): Each[] {
  const due = waiting.filter(isDue)
  waiting.splice(0, waiting.length, ...waiting.filter((each) => !due.includes(each)))
  return due
}
