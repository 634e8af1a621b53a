/** The loops of the engine, each alone responsible for its moves of the job machine: startup, running, reset, notification.
 *  They learn what to do from the states in the database and from nothing else, so a start after a kill is like any other
 *  look at the table: recovery first, then on. */
import { join } from 'node:path'
import { harvestDefinition } from '../contract/contract.ts'
import { jobStates } from '../contract/states.ts'
import type { FaultCode } from '../contract/faults.ts'
import type { Archive } from '../archive/archive.ts'
import { mover } from '../storage/guard.ts'
import { StorageFault, type Store } from '../storage/storage.ts'
import { DiskFault, type World } from '../world/world.ts'
import { alarmOf } from './alarm.ts'
import { completeJob, isStored } from './completion.ts'
import { noCounts, openFrontier } from './frontier.ts'
import { frontierStatements } from './frontier.sql.ts'
import { recoverFiles } from './harvestFile.ts'
import { runJob, type RunEnd } from './jobRun.ts'
import { importFiles } from './import/importFiles.ts'
import { openJobs } from './jobs.ts'
import { jobStatements, type JobRow } from './jobs.sql.ts'
import { pollMs, type CrawlSettings } from './limits.ts'

export interface SupervisorSetting {
  store: Store
  world: World
  archive: Archive
  /** `<archive>/jobs`. */
  folder: string
  /** Where files lie that a browser handed over to be imported. */
  incomingFolder: string
  settings: CrawlSettings
  software: string
  /** Aborted when the engine is closed: running jobs stop where they are and go on at the next start. */
  signal: AbortSignal
  onChanged(job: number): void
  /** Files of an import moved on. */
  onImported(job: number, files: number[]): void
  /** `job`: the one that it keeps from going on; the others do. */
  onProblem(problem: { text: string; code: FaultCode; job: number }): void
}

type JobState = (typeof jobStates.states)[number]
type Level = 'info' | 'warning' | 'error'

/** How often the disk is asked how much is free while jobs run. */
const spaceLookMs = 2_000

/** Ends when the signal is aborted and nothing is under way any more. */
export async function supervise(setting: SupervisorSetting): Promise<void> {
  const { store, world, settings, signal } = setting
  const sql = jobStatements(store)
  const queue = frontierStatements(store)
  const jobs = openJobs(store, world)
  const move = mover(store, jobStates, { table: 'job' })
  const alarm = alarmOf(world)
  /** What is under way for a job: at most one thing at a time. */
  const activities = new Map<number, { stop: AbortController; ended: Promise<void> }>()

  const folderOf = (job: number) => join(setting.folder, String(job))
  const say = (job: number, level: Level, text: string) => {
    sql.addEvent.run({ job, nowMs: world.clock.now(), level, text })
    setting.onChanged(job)
  }
  const rowOf = (job: number): JobRow => {
    const row = sql.one.get({ job })
    if (!row) throw new Error(`job ${job} has gone`)
    return row
  }
  const fileSetting = (job: number) => ({
    store,
    world,
    job,
    folder: folderOf(job),
    harvest: rowOf(job).harvest,
    software: setting.software,
    practice: practiceOf(rowOf(job), settings),
    warcVersion: settings.warcVersion,
  })

  /** Transient states go back to the permanent one they came from (semantics 1.6), torn files lose their tail. */
  async function recover(): Promise<void> {
    for (const row of sql.all.all({})) {
      if (row.state === 'INACTIVE' && isStored(setting.archive, row.id)) continue
      try {
        await recoverJob(row)
      } catch (error) {
        // A folder that cannot be read is the trouble of its job alone.
        if (!(error instanceof DiskFault)) throw error
        setting.onProblem({ text: `Job ${row.id}: ${error.message}`, code: 'damaged', job: row.id })
      }
    }
  }

  async function recoverJob({ id: job, state }: JobRow): Promise<void> {
    // First what needs no disk: a job whose folder cannot be read now goes on all the same, and leaves no document out.
    sql.mendStretch.run({ job })
    queue.releaseClaimed.run({ job })
    const wasInterrupted = move(job, 'interrupted') !== undefined
    await world.disk.makeFolder(folderOf(job))
    const said = await recoverFiles(fileSetting(job))
    await dropSpools(job)
    if (wasInterrupted || state === 'ACTIVE') {
      say(job, 'warning', 'The engine had been ended in the middle of this job; it goes on where it was.')
    }
    for (const text of said) say(job, 'warning', text)
    if (state === 'INACTIVE') move(job, 'storeAgain')
  }

  async function dropSpools(job: number): Promise<void> {
    for (const { name } of await world.disk.list(folderOf(job))) {
      if (name.endsWith('.body')) await world.disk.remove(join(folderOf(job), name))
    }
  }

  async function startUp(job: number, stop: AbortController): Promise<void> {
    if (move(job, 'startupTaken') === undefined) return
    await world.disk.makeFolder(folderOf(job))
    const row = rowOf(job)
    if (row.kind === 'import') {
      await importFiles({
        ...fileSetting(job),
        archive: setting.archive,
        freeBytesMin: settings.freeBytesMin,
        incomingFolder: setting.incomingFolder,
        signal: stop.signal,
        say: (level, text) => say(job, level, text),
        onMoved: (files) => setting.onImported(job, files),
      })
      if (stop.signal.aborted) return
      store.transaction(() => {
        if (move(job, 'seeded') !== undefined) sql.begin.run({ job, nowMs: world.clock.now() })
      })
      return
    }
    const { seeds, robots } = harvestDefinition.parse(JSON.parse(row.definition))
    const isSeeded = store.transaction(() => {
      // A person may have stopped it in the meantime.
      if (move(job, 'seeded') === undefined) return false
      const nowMs = world.clock.now()
      const candidates = seeds.map((url) => ({ url, role: 'page' as const, hopPath: '', hops: 0, via: null }))
      const { counts } = openFrontier(store, job, robots).discover(candidates, nowMs)
      queue.count.run({ job, ...counts })
      sql.begin.run({ job, nowMs })
      sql.beginStretch.run({ job, nowMs })
      return true
    })
    if (isSeeded) say(job, 'info', `Started with ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}.`)
  }

  async function run(job: number, stop: AbortController): Promise<void> {
    const row = rowOf(job)
    const isContinued = row.activeSinceMs === null || row.runningMs > 0
    if (row.activeSinceMs === null) sql.beginStretch.run({ job, nowMs: world.clock.now() })
    let end: RunEnd
    try {
      end = await runJob({
        ...fileSetting(job),
        definition: harvestDefinition.parse(JSON.parse(row.definition)),
        settings,
        before: { fetched: row.fetched, bytes: row.bytes, runningMs: row.runningMs },
        isContinued,
        signal: stop.signal,
        onProgress: () => setting.onChanged(job),
        say: (level, text) => say(job, level, text),
      })
    } catch (error) {
      if (!(error instanceof DiskFault) && !(error instanceof StorageFault)) throw error
      hinder(job, `${error.message}. Nothing that was fetched is lost: mend this, then resume the job.`)
      return
    } finally {
      sql.endStretch.run({ job, nowMs: world.clock.now() })
    }
    if (end !== 'stopped') finish(job, end)
  }

  function finish(job: number, reason: Exclude<RunEnd, 'stopped'>): void {
    const isFinished = store.transaction(() => {
      // A person may have paused or stopped it at this very moment; then that is what happens.
      if (move(job, 'finished') === undefined) return false
      sql.setStopReason.run({ job, stopReason: reason })
      if (reason !== 'DOWNLOAD_COMPLETE') excludeWaiting(job, limitReason[reason])
      return true
    })
    if (isFinished) say(job, 'info', finishText[reason])
  }

  function excludeWaiting(job: number, reason: string): void {
    const excluded = queue.excludeWaiting.run({ job, reason })
    queue.count.run({ ...noCounts, job, excluded })
  }

  function hinder(job: number, text: string): void {
    const isTold = store.transaction(() => {
      // Already pausing: the disk's reason is what the person has to know all the same.
      if (move(job, 'hindered') === undefined && rowOf(job).state !== 'PAUSING') return false
      // Both or neither: a pause without its reason would look like a person's.
      sql.setError.run({ job, text })
      return true
    })
    if (isTold) say(job, 'error', text)
  }

  function drained(job: number, state: JobState): void {
    store.transaction(() => {
      if (state === 'ABORTING') {
        excludeWaiting(job, 'jobStopped')
        sql.setStopReason.run({ job, stopReason: 'DOWNLOAD_UNFINISHED' })
      }
      move(job, 'drained')
    })
    say(job, 'info', state === 'ABORTING' ? 'Stopped; what was fetched is kept.' : 'Paused.')
  }

  async function notify(job: number): Promise<void> {
    move(job, 'notificationTaken')
    setting.onChanged(job)
    const problem = await completeJob({ ...fileSetting(job), archive: setting.archive, jobs, signal })
    if (signal.aborted) return
    store.transaction(() => {
      // Also to nothing: what an earlier end could not store may be stored now.
      sql.setError.run({ job, text: problem ?? null })
      sql.end.run({ job, nowMs: world.clock.now() })
      move(job, 'notified')
    })
    say(job, problem === undefined ? 'info' : 'error', problem ?? 'Every file is stored in every replica.')
  }

  /** state → what its owner does about it. States that wait for a person have nothing here. */
  const loops: Partial<Record<JobState, (job: number, stop: AbortController) => Promise<void>>> = {
    READYFORSTARTUP: startUp,
    ACTIVE: run,
    PAUSING: async (job) => drained(job, 'PAUSING'),
    ABORTING: async (job) => drained(job, 'ABORTING'),
    RESUMING: async (job) => {
      move(job, 'resumed')
      sql.beginStretch.run({ job, nowMs: world.clock.now() })
      setting.onChanged(job)
    },
    SHUTTINGDOWN: async (job) => void move(job, 'cleaned'),
    READYFORNOTIFY: notify,
  }

  function look(job: number, state: JobState): void {
    const activity = activities.get(job)
    if (activity) {
      // A person asked for an end while the job runs: its turns are given up, then the state's own loop goes on.
      if (state === 'PAUSING' || state === 'ABORTING') activity.stop.abort()
      return
    }
    const loop = loops[state]
    if (!loop) return
    const stop = new AbortController()
    const ended = loop(job, stop)
      .catch((error: unknown) => {
        // The engine is being closed: what it was doing is begun again at the next start.
        if (!signal.aborted || error !== signal.reason) {
          const { text, code } = saidOf(error)
          setting.onProblem({ text: `Job ${job} could not go on from ${state}: ${text}`, code, job })
        }
        // What was begun is begun again, but not at once: a fault that stays must not keep a core busy.
        return world.clock
          .sleep(spaceLookMs, signal)
          .catch(() => undefined)
          .then(() => void move(job, 'interrupted'))
          .catch((again: unknown) => setting.onProblem({ ...saidOf(again), job }))
      })
      .finally(() => {
        activities.delete(job)
        alarm.ring()
      })
    activities.set(job, { stop, ended })
  }

  let lastSpaceMs = -Infinity
  async function lookAtSpace(): Promise<void> {
    const active = sql.running.all({}).filter(({ state }) => state === 'ACTIVE')
    // The first look comes before the first fetch, however short the job is.
    if (active.length === 0 || world.clock.now() - lastSpaceMs < spaceLookMs) return
    lastSpaceMs = world.clock.now()
    const freeBytes = await freeBytesOrWhyNot()
    if (typeof freeBytes === 'number' && freeBytes >= settings.freeBytesMin) return
    const text =
      typeof freeBytes === 'string'
        ? `${freeBytes}. Mend this, then resume the job.`
        : `Only ${Math.floor(freeBytes / 1e6)} MB are free where the archive lies, and ${Math.floor(settings.freeBytesMin / 1e6)} MB are kept free. Make room, then resume the job.`
    for (const { id } of active) hinder(id, text)
  }

  /** A disk that does not even say this is not to be written to. */
  async function freeBytesOrWhyNot(): Promise<number | string> {
    try {
      return await world.disk.freeBytes(setting.folder)
    } catch (error) {
      if (error instanceof DiskFault) return error.message
      throw error
    }
  }

  await world.disk.makeFolder(setting.folder)
  await recover()
  try {
    while (!signal.aborted) {
      await lookAtSpace()
      for (const { id, state } of sql.running.all({})) look(id, state as JobState)
      await alarm.wait(pollMs)
    }
  } finally {
    // Whatever ends the loop: nothing of it may go on, the database is about to be closed.
    for (const { stop } of activities.values()) stop.abort()
    await Promise.all([...activities.values()].map(({ ended }) => ended))
  }
}

/** A fault of the world in its own words; a mistake of ours by its name. */
function saidOf(error: unknown): { text: string; code: FaultCode } {
  const isOfWorld = error instanceof DiskFault || error instanceof StorageFault
  if (isOfWorld) return { text: error.message, code: error.code === 'full' ? 'noSpace' : 'damaged' }
  return { text: error instanceof Error ? error.message : String(error), code: 'internal' }
}

/** Names as in WARC 1.1 section 6.2, with the settings that were in force where the harvest said nothing of its own. */
function practiceOf({ kind, definition }: JobRow, settings: CrawlSettings): string[] {
  if (kind === 'import') return []
  const { userAgent, robots, delayMs, connectionsPerHost, workers } = harvestDefinition.parse(JSON.parse(definition))
  return [
    `http-header-user-agent: ${userAgent ?? settings.userAgent}`,
    `robots: ${robots}`,
    `delayMs: ${delayMs ?? settings.delayMs}`,
    `connectionsPerHost: ${connectionsPerHost ?? settings.connectionsPerHost}`,
    `workers: ${workers ?? settings.workers}`,
  ]
}

const limitReason = { OBJECT_LIMIT: 'objectLimit', SIZE_LIMIT: 'byteLimit', TIME_LIMIT: 'timeLimit' } as const
const finishText = {
  DOWNLOAD_COMPLETE: 'Everything in scope was fetched.',
  OBJECT_LIMIT: 'The limit of objects was reached.',
  SIZE_LIMIT: 'The limit of bytes was reached.',
  TIME_LIMIT: 'The limit of time was reached.',
} as const
