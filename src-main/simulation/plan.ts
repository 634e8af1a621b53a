/** What befalls a harvest: drawn from the seed before it begins, measured by an undisturbed run of the same site, so that the
 *  cuts fall where something happens. Pure; `life.ts` makes it come true. */
import { defaultCrawlSettings, type CrawlSettings } from '../crawl/crawl.ts'
import type { JobAction } from '../crawl/crawl.ts'
import type { Lift, Selection } from '../contract/services/live.ts'
import { recheckShape, type Recheck } from '../contract/shapes/recrawl.ts'
import { scheduleShape, type Schedule } from '../contract/services/schedule.ts'
import type { SeededChance } from '../world/testing/seededChance.ts'
import type { DiskFailure } from '../world/testing/seededDisk.ts'
import { pick } from './pick.ts'

export interface Plan {
  /** How many calls each machine lives; the last one lives to the end. */
  cutsAfterCalls: number[]
  /** When the engine is closed in good order and opened again, counted from the beginning. */
  closedAtMs: number[]
  troubles: Trouble[]
  wishes: { atMs: number; action: JobAction }[]
  /** Changes of the wall clock, and suspends. */
  jumps: Jump[]
  /** What a person changes of the queue. */
  changes: { atMs: number; change: Change }[]
  restored?: Restored
}

/** The database as it was after one cut of the power is put back after a later one, or at the end. Cuts are counted from 0. */
export interface Restored {
  takenAt: number
  restoredAt: number
}

/** When a clock jumps: at a time since the beginning; just before a call on one of the machines, in the middle of the code that makes
 *  this call; or before a machine is switched on, while no engine runs. Machines are counted from 0. */
export type Occasion = { atMs: number } | { machine: number; call: number } | { beforeMachine: number }

export interface Jump {
  when: Occasion
  /** `clock`: the wall clock jumps and the monotonic clock does not, when somebody sets it or a Linux machine is suspended.
   *  `suspend`: both clocks jump, when a macOS or Windows machine is suspended. */
  kind: 'clock' | 'suspend'
  byMs: number
}

export type Change =
  | { kind: 'reject' | 'unreject'; pattern: string }
  | { kind: 'drop'; of: Selection }
  | { kind: 'lift'; of: Selection; to: Lift }
  | { kind: 'priority'; priority: number }
  /** Both null: given back. */
  | { kind: 'budget'; domain: string; objects: number | null; bytes: number | null }

export interface Trouble {
  fromMs: number
  toMs: number
  /** What the disk refuses, or how little is free. */
  what: { failure: DiskFailure } | { freeBytesLeft: number }
}

/** How long an undisturbed run takes. */
export interface Measure {
  calls: number
  durationMs: number
}

export const undisturbed: Plan = {
  cutsAfterCalls: [],
  closedAtMs: [],
  troubles: [],
  wishes: [],
  jumps: [],
  changes: [],
}

export interface Manner {
  delayMs: number
  connectionsPerHost: number
  workers: number
  maxObjects?: number
  maxSeconds?: number
  /** When the job has ended it is started again, so often. */
  furtherRuns: ('start' | 'startMinimal')[]
  /** It starts by itself, and runs in these windows only. */
  schedule?: Schedule
  /** It never ends by itself: it is stopped when it has lived so long and has looked at everything. */
  continuous?: { recheck: Recheck; lifeMs: number }
  settings: CrawlSettings
}

export function drawManner(chance: SeededChance): Manner {
  const manner = drawCourse(chance)
  const { schedule, continuous, maxObjects } = manner
  if (schedule || continuous || maxObjects !== undefined || !chance.happens(200)) return manner
  return { ...manner, maxSeconds: 2 + chance.below(20) }
}

function drawCourse(chance: SeededChance): Manner {
  const polite = chance.happens(600)
  const manner: Manner = {
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
  if (course === 'limited') return { ...manner, maxObjects: 5 + chance.below(20) }
  if (course === 'windows') return { ...manner, schedule: drawSchedule(chance) }
  if (course === 'always') return { ...manner, continuous: drawContinuous(chance) }
  if (course === 'once') return manner
  const runs = Array.from({ length: 1 + chance.below(2) }, () =>
    pick(chance, ['start', 'start', 'startMinimal'] as const),
  )
  return { ...manner, furtherRuns: runs, ...(chance.happens(150) ? { maxObjects: 5 + chance.below(20) } : {}) }
}

/** One minute of each two or three: a harvest seldom gets by with one. */
function drawSchedule(chance: SeededChance): Schedule {
  const everyMinutes = 2 + chance.below(2)
  const minutes = Array.from({ length: 60 / everyMinutes }, (_, index) => index * everyMinutes)
  return scheduleShape.parse({
    startMethod: pick(chance, ['WINDOWBEGIN', 'WINDOWINSIDE']),
    records: [{ minutes, durationMinutes: 1, minimal: chance.happens(300) }],
  })
}

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

export function drawPlan(chance: SeededChance, measure: Measure, manner: Manner): Plan {
  const times = <Each>(below: number, draw: () => Each) => Array.from({ length: chance.below(below) }, draw)
  const moment = () => chance.below(Math.max(1, measure.durationMs))
  const plan = {
    cutsAfterCalls: times(5, () => drawCut(chance, measure.calls)),
    closedAtMs: times(3, moment),
    troubles: times(4, () => drawTrouble(chance, moment())),
    wishes: times(4, () => ({ atMs: moment(), action: drawWish(chance) })).sort(inTime),
  }
  const clockJumps = times(3, () => clockJump({ atMs: moment() }, chance, manner))
  const changes = chance.happens(450) ? times(4, () => drawChange(chance, moment)).flat() : []
  const machines = plan.cutsAfterCalls.length + plan.closedAtMs.length + 1
  const further = times(4, () => drawJump(chance, drawOccasion(chance, machines, measure), manner))
  const cuts = plan.cutsAfterCalls.length
  const jumps = [...clockJumps, ...further]
  const absences = chance.happens(200) ? [drawAbsence(chance, measure)] : []
  return {
    ...{ ...plan, jumps, changes: changes.sort(inTime) },
    troubles: [...plan.troubles, ...absences],
    ...(cuts > 0 && chance.happens(500) && { restored: drawRestored(chance, cuts) }),
  }
}

/** Drives of replicas are not there when the files of the job are to be stored: one of them, or all. */
function drawAbsence(chance: SeededChance, { durationMs }: Measure): Trouble {
  const fromMs = Math.max(0, durationMs - chance.below(3_000))
  const path = pick(chance, [/^\/replicas\//, /^\/replicas\//, /^\/replicas\/one/, /^\/replicas\/(two|sums)/])
  return { fromMs, toMs: fromMs + 1_000 + chance.below(60_000), what: { failure: { path, code: 'absent' } } }
}

function drawRestored(chance: SeededChance, cuts: number): Restored {
  const takenAt = chance.below(cuts)
  return { takenAt, restoredAt: takenAt + 1 + chance.below(cuts - takenAt) }
}

function inTime(one: { atMs: number }, other: { atMs: number }): number {
  return one.atMs - other.atMs
}

const patterns = ['/page', 'page[0-3]', '[.]png$', '/folder/', '/members/', '//(img|news)[.]', '[?]id=', '/absent']

/** What is taken away is given back later, or is not. */
function drawChange(chance: SeededChance, moment: () => number): Plan['changes'] {
  const pattern = pick(chance, patterns)
  const of = chance.happens(300) ? { host: pick(chance, ['www.museum.test', 'img.library.test']) } : { pattern }
  const kind = pick(chance, ['reject', 'reject', 'drop', 'lift', 'priority', 'budget', 'budget'] as const)
  // Early changes have more to change.
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

/** Anywhere; or early, in the recovery from the cut before; or late, while files are being stored. */
function drawCut(chance: SeededChance, calls: number): number {
  const anywhere = 1 + chance.below(calls)
  return pick(chance, [anywhere, anywhere, 1 + chance.below(80), Math.max(1, calls - chance.below(300))])
}

function drawTrouble(chance: SeededChance, fromMs: number): Trouble {
  const toMs = fromMs + 1 + chance.below(pick(chance, [200, 5_000, 20_000]))
  if (chance.happens(250)) return { fromMs, toMs, what: { freeBytesLeft: chance.below(3_000) } }
  const path = pick(chance, [
    /^\/archive\/jobs\//,
    /^\/archive\/jobs\/.*\.open$/,
    /^\/replicas\/one/,
    /^\/replicas\/(two|sums)/,
    /^\/(archive|replicas)\//,
  ])
  const deeds = pick(chance, [
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
  return { fromMs, toMs, what: { failure: { path, code, ...(deeds.length > 0 ? { deeds } : {}), ...times } } }
}

function drawWish(chance: SeededChance): JobAction {
  return chance.happens(200) ? 'abort' : pick(chance, ['pause', 'pause', 'resume'])
}

function drawOccasion(chance: SeededChance, machines: number, { calls, durationMs }: Measure): Occasion {
  const kind = pick(chance, ['at', 'call', 'call', 'before'] as const)
  if (kind === 'at' || (kind === 'before' && machines === 1)) return { atMs: chance.below(Math.max(1, durationMs)) }
  if (kind === 'call') return { machine: chance.below(machines), call: 1 + chance.below(calls) }
  return { beforeMachine: 1 + chance.below(machines - 1) }
}

function drawJump(chance: SeededChance, when: Occasion, manner: Manner): Jump {
  if (chance.happens(400)) return clockJump(when, chance, manner)
  // A few seconds, a break, a night, a holiday.
  return { when, kind: 'suspend', byMs: pick(chance, [3_000, 600_000, 9 * 3_600_000, 14 * 86_400_000]) }
}

/** A second, an hour for summer time set by hand, a night in a bag, a battery that had run out. Windows that a clock has seen
 *  begin are not begun again when it is put back by less than a day: that harvest would wait for hours. */
function clockJump(when: Occasion, chance: SeededChance, { schedule }: Manner): Jump {
  const byMs = pick(chance, [1_000, 3_600_000, 9 * 3_600_000, 400 * 86_400_000])
  const isBack = chance.happens(500) && (!schedule || byMs === 1_000 || byMs > 86_400_000)
  return { when, kind: 'clock', byMs: isBack ? -byMs : byMs }
}
