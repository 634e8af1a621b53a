/** Plan of the disturbances of a harvest, generated from the seed and from the length of an undisturbed run of the same site, so that
 *  power cuts fall where something happens. Pure; `harness.ts` applies it. */
import { defaultCrawlSettings, type CrawlSettings } from '../crawl/crawl.ts'
import type { JobAction } from '../crawl/crawl.ts'
import type { Lift, Selection } from '../contract/services/live.ts'
import { recheckShape, type Recheck } from '../contract/shapes/recheck.ts'
import { scheduleShape, type Schedule } from '../contract/services/schedule.ts'
import type { SeededChance } from '../world/testing/seededChance.ts'
import type { DiskFailure } from '../world/testing/seededDisk.ts'
import { pick } from './pick.ts'

/** All disturbances of one harvest. Times are milliseconds since its start, without suspends. */
export interface Plan {
  /** Calls to the world after which each machine loses power; the last machine runs to the end. */
  cutsAfterCalls: number[]
  /** When the engine is closed normally and opened again, since the start. */
  closedAtMs: number[]
  faults: TimedFault[]
  userActions: { atMs: number; action: JobAction }[]
  /** Changes of the wall clock, and suspends. */
  jumps: Jump[]
  /** Changes of the queue by a user. */
  changes: { atMs: number; change: Change }[]
  restored?: Restored
}

/** The database of one power cut is restored after a later one, or at the end. Power cuts are counted from 0. */
export interface Restored {
  takenAt: number
  restoredAt: number
}

/** When a clock jumps: at a time since the start; just before a call to the world on one of the machines, in the middle of the code that
 *  makes the call; or before a machine starts, while no engine runs. Machines are counted from 0. */
export type Trigger = { atMs: number } | { machine: number; call: number } | { beforeMachine: number }

/** A jump of the clocks. */
export interface Jump {
  when: Trigger
  /** `clock`: the wall clock jumps and the monotonic clock does not, as when it is set or a Linux machine is suspended.
   *  `suspend`: both clocks jump, when a macOS or Windows machine is suspended. */
  kind: 'clock' | 'suspend'
  byMs: number
}

/** A change of the queue, as the calls of `queue` make it. */
export type Change =
  | { kind: 'reject' | 'unreject'; pattern: string }
  | { kind: 'drop'; of: Selection }
  | { kind: 'lift'; of: Selection; to: Lift }
  | { kind: 'priority'; priority: number }
  /** Both null: the budget is removed. */
  | { kind: 'budget'; domain: string; objects: number | null; bytes: number | null }

/** A fault of the disk from one time to another. */
export interface TimedFault {
  fromMs: number
  toMs: number
  /** What the disk refuses, or how many bytes are free. */
  what: { failure: DiskFailure } | { freeBytesLeft: number }
}

/** How long an undisturbed run takes. */
export interface Measure {
  calls: number
  durationMs: number
}

/** The plan of the run with which a disturbed one is compared. */
export const undisturbed: Plan = {
  cutsAfterCalls: [],
  closedAtMs: [],
  faults: [],
  userActions: [],
  jumps: [],
  changes: [],
}

/** How the harvest is configured and how it runs; the same in the disturbed and the undisturbed run. */
export interface HarvestOptions {
  delayMs: number
  connectionsPerHost: number
  workers: number
  /** The order of documents in the WARC files. */
  order?: 'scheduled'
  maxObjects?: number
  maxSeconds?: number
  /** How the job is started again after it ended, one entry per run. */
  furtherRuns: ('start' | 'startMinimal')[]
  /** Starts by this schedule, and runs only in its windows. */
  schedule?: Schedule
  /** A continuous job, stopped after this time once it has visited everything. */
  continuous?: { recheck: Recheck; lifeMs: number }
  settings: CrawlSettings
}

/** Draws the options: politeness, workers, the size of files, and the course. */
export function drawHarvestOptions(chance: SeededChance): HarvestOptions {
  const options = drawCourse(chance)
  const { schedule, continuous, maxObjects } = options
  if (schedule || continuous || maxObjects !== undefined || !chance.happens(200)) return options
  return { ...options, maxSeconds: 2 + chance.below(20) }
}

function drawCourse(chance: SeededChance): HarvestOptions {
  const polite = chance.happens(600)
  const options: HarvestOptions = {
    delayMs: polite ? pick(chance, [100, 300, 1_000]) : 0,
    connectionsPerHost: polite ? 1 : 1 + chance.below(3),
    workers: 1 + chance.below(6),
    furtherRuns: [],
    settings: {
      ...defaultCrawlSettings,
      connectMsMax: 2_000,
      silenceMsMax: 4_000,
      retryDelayMs: 300,
      // Several WARC files, or one.
      fileBytesMax: pick(chance, [4_000, 12_000, 1_000_000]),
    },
  }
  const course = pick(chance, [
    'once',
    'once',
    'once',
    'once',
    'limited',
    'again',
    'again',
    'again',
    'windows',
    'always',
  ])
  if (course === 'limited') return { ...options, maxObjects: 5 + chance.below(20) }
  if (course === 'windows') return { ...options, schedule: drawSchedule(chance) }
  if (course === 'always') return { ...options, continuous: drawContinuous(chance) }
  if (course === 'once') return options
  const runs = Array.from({ length: 1 + chance.below(2) }, () =>
    pick(chance, ['start', 'start', 'startMinimal'] as const),
  )
  return { ...options, furtherRuns: runs, ...(chance.happens(150) ? { maxObjects: 5 + chance.below(20) } : {}) }
}

/** Windows of one minute in every two or three, so that most harvests need several. */
function drawSchedule(chance: SeededChance): Schedule {
  const everyMinutes = 2 + chance.below(2)
  const minutes = Array.from({ length: 60 / everyMinutes }, (_, index) => index * everyMinutes)
  return scheduleShape.parse({
    startMethod: pick(chance, ['WINDOWBEGIN', 'WINDOWINSIDE']),
    records: [{ minutes, durationMinutes: 1, minimal: chance.happens(300) }],
  })
}

/** Draws the intervals of a continuous job, in seconds rather than days, and how long it runs. */
function drawContinuous(chance: SeededChance): { recheck: Recheck; lifeMs: number } {
  const intervalSeconds = 15 + chance.below(20)
  const recheck = recheckShape.parse({
    type: 'continuous',
    intervalSeconds,
    intervalSecondsMax: pick(chance, [intervalSeconds, 2 * intervalSeconds, null]),
    expirySeconds: pick(chance, [null, 50, 80]),
    reseedSeconds: pick(chance, [null, 60, 90]),
  })
  return { recheck, lifeMs: 60_000 + chance.below(90_000) }
}

/** Draws the disturbances. `measure` is that of the undisturbed run with the same options. */
export function drawPlan(chance: SeededChance, measure: Measure, options: HarvestOptions): Plan {
  const times = <Each>(below: number, draw: () => Each) => Array.from({ length: chance.below(below) }, draw)
  const moment = () => chance.below(Math.max(1, measure.durationMs))
  const plan = {
    cutsAfterCalls: times(5, () => drawCut(chance, measure.calls)),
    closedAtMs: times(3, moment),
    faults: times(4, () => drawFault(chance, moment())),
    userActions: times(4, () => ({ atMs: moment(), action: drawUserAction(chance) })).sort(inTime),
  }
  const clockJumps = times(3, () => clockJump({ atMs: moment() }, chance, options))
  const changes = chance.happens(450) ? times(4, () => drawChange(chance, moment)).flat() : []
  const machines = plan.cutsAfterCalls.length + plan.closedAtMs.length + 1
  const further = times(4, () => drawJump(chance, drawTrigger(chance, machines, measure), options))
  const cuts = plan.cutsAfterCalls.length
  const jumps = [...clockJumps, ...further]
  const absences = chance.happens(200) ? [drawAbsence(chance, measure)] : []
  return {
    ...{ ...plan, jumps, changes: changes.sort(inTime) },
    faults: [...plan.faults, ...absences],
    ...(cuts > 0 && chance.happens(500) && { restored: drawRestored(chance, cuts) }),
  }
}

/** One replica, or all, are absent when the files of the job are to be stored. */
function drawAbsence(chance: SeededChance, { durationMs }: Measure): TimedFault {
  const fromMs = Math.max(0, durationMs - chance.below(3_000))
  const path = pick(chance, [/^\/replicas\//, /^\/replicas\//, /^\/replicas\/one/, /^\/replicas\/(two|sums)/])
  return { fromMs, toMs: fromMs + 1_000 + chance.below(60_000), what: { failure: { path, code: 'absent' } } }
}

/** Draws a power cut and a later one, or the end, whose database is replaced. */
function drawRestored(chance: SeededChance, cuts: number): Restored {
  const takenAt = chance.below(cuts)
  return { takenAt, restoredAt: takenAt + 1 + chance.below(cuts - takenAt) }
}

function inTime(one: { atMs: number }, other: { atMs: number }): number {
  return one.atMs - other.atMs
}

/** Patterns that match some URLs of every generated site. */
const patterns = ['/page', 'page[0-3]', '[.]png$', '/folder/', '/members/', '//(img|news)[.]', '[?]id=', '/absent']

/** Draws a change, and sometimes the one that undoes it. */
function drawChange(chance: SeededChance, moment: () => number): Plan['changes'] {
  const pattern = pick(chance, patterns)
  const of = chance.happens(300) ? { host: pick(chance, ['www.museum.test', 'img.library.test']) } : { pattern }
  const kind = pick(chance, ['reject', 'reject', 'drop', 'lift', 'priority', 'budget', 'budget'] as const)
  // Early changes affect more documents.
  const atMs = Math.floor(moment() / (1 + chance.below(4)))
  const back = (change: Change) => (chance.happens(500) ? [{ atMs: atMs + moment(), change }] : [])
  if (kind === 'reject') return [{ atMs, change: { kind, pattern } }, ...back({ kind: 'unreject', pattern })]
  if (kind === 'drop') return [{ atMs, change: { kind, of } }]
  if (kind === 'lift') return [{ atMs, change: { kind, of, to: pick(chance, ['first', 'last', 'usual']) } }]
  if (kind === 'priority') return [{ atMs, change: { kind, priority: 1 + chance.below(10) } }]
  const domain = pick(chance, ['museum.test', 'library.test'])
  const bound = chance.happens(700)
    ? { objects: chance.below(12), bytes: null }
    : { objects: null, bytes: 200 + chance.below(5_000) }
  return [{ atMs, change: { kind, domain, ...bound } }, ...back({ kind, domain, objects: null, bytes: null })]
}

/** Power cuts anywhere; early, during recovery from the cut before; or late, while files are being stored. */
function drawCut(chance: SeededChance, calls: number): number {
  const anywhere = 1 + chance.below(calls)
  return pick(chance, [anywhere, anywhere, 1 + chance.below(80), Math.max(1, calls - chance.below(300))])
}

/** Draws a fault: too little room, or failing calls on some paths, for a moment or for seconds. */
function drawFault(chance: SeededChance, fromMs: number): TimedFault {
  const toMs = fromMs + 1 + chance.below(pick(chance, [200, 5_000, 20_000]))
  if (chance.happens(250)) return { fromMs, toMs, what: { freeBytesLeft: chance.below(3_000) } }
  const path = pick(chance, [
    /^\/archive\/jobs\//,
    /^\/archive\/jobs\/.*\.open$/,
    /^\/replicas\/one/,
    /^\/replicas\/(two|sums)/,
    /^\/(archive|replicas)\//,
  ])
  const calls = pick(chance, [
    ['append'],
    ['sync'],
    ['truncate'],
    ['append', 'truncate'],
    ['rename'],
    ['syncFolder'],
    ['openWrite'],
    ['openRead', 'readAt'],
    ['remove'],
    ['stat', 'list'],
    [],
  ] as const)
  const code = pick(chance, ['full', 'failed', 'denied'] as const)
  const times = chance.happens(500) ? { times: 1 + chance.below(4) } : {}
  return { fromMs, toMs, what: { failure: { path, code, ...(calls.length > 0 ? { calls } : {}), ...times } } }
}

function drawUserAction(chance: SeededChance): JobAction {
  return chance.happens(200) ? 'abort' : pick(chance, ['pause', 'pause', 'resume'])
}

/** Draws the moment of a jump. */
function drawTrigger(chance: SeededChance, machines: number, { calls, durationMs }: Measure): Trigger {
  const kind = pick(chance, ['at', 'call', 'call', 'before'] as const)
  if (kind === 'at' || (kind === 'before' && machines === 1)) return { atMs: chance.below(Math.max(1, durationMs)) }
  if (kind === 'call') return { machine: chance.below(machines), call: 1 + chance.below(calls) }
  return { beforeMachine: 1 + chance.below(machines - 1) }
}

function drawJump(chance: SeededChance, when: Trigger, options: HarvestOptions): Jump {
  if (chance.happens(400)) return clockJump(when, chance, options)
  // A few seconds, ten minutes, a night, two weeks.
  return { when, kind: 'suspend', byMs: pick(chance, [3_000, 600_000, 9 * 3_600_000, 14 * 86_400_000]) }
}

/** A second, an hour (daylight saving time set by hand), a night, more than a year (an empty clock battery). With a schedule, jumps back of
 *  hours are left out: windows that have begun are not begun again, so the harvest would wait for hours. */
function clockJump(when: Trigger, chance: SeededChance, { schedule }: HarvestOptions): Jump {
  const byMs = pick(chance, [1_000, 3_600_000, 9 * 3_600_000, 400 * 86_400_000])
  const isBack = chance.happens(500) && (!schedule || byMs === 1_000 || byMs > 86_400_000)
  return { when, kind: 'clock', byMs: isBack ? -byMs : byMs }
}
