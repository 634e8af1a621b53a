/** What befalls a harvest: drawn from the seed before it begins, measured by an undisturbed run of the same site, so that the
 *  cuts fall where something happens. Pure; `life.ts` makes it come true. */
import { defaultCrawlSettings, type CrawlSettings } from '../crawl/crawl.ts'
import type { JobAction } from '../crawl/crawl.ts'
import type { SeededChance } from '../world/seededChance.ts'
import type { DiskFailure } from '../world/seededDisk.ts'
import { pick } from './site.ts'

export interface Plan {
  /** How many calls each machine lives; the last one lives to the end. */
  cutsAfterCalls: number[]
  /** When the engine is closed in good order and opened again, counted from the beginning. */
  closedAtMs: number[]
  troubles: Trouble[]
  wishes: { atMs: number; action: JobAction }[]
  /** Somebody sets the clock of the machine, or it wakes from a sleep. */
  clockJumps: { atMs: number; byMs: number }[]
}

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

export const undisturbed: Plan = { cutsAfterCalls: [], closedAtMs: [], troubles: [], wishes: [], clockJumps: [] }

export interface Manner {
  delayMs: number
  connectionsPerHost: number
  workers: number
  maxObjects?: number
  /** When the job has ended it is started again, so often. */
  furtherRuns: ('start' | 'startMinimal')[]
  settings: CrawlSettings
}

export function drawManner(chance: SeededChance): Manner {
  const polite = chance.happens(600)
  return {
    delayMs: polite ? pick(chance, [100, 300, 1_000]) : 0,
    connectionsPerHost: polite ? 1 : 1 + chance.below(3),
    workers: 1 + chance.below(6),
    ...(chance.happens(100) ? { maxObjects: 5 + chance.below(20) } : {}),
    furtherRuns: Array.from({ length: pick(chance, [0, 0, 0, 1, 1, 2]) }, () =>
      pick(chance, ['start', 'start', 'startMinimal'] as const),
    ),
    settings: {
      ...defaultCrawlSettings,
      connectMsMax: 2_000,
      silenceMsMax: 4_000,
      retryDelayMs: 300,
      // Several WARC files, or one.
      fileBytesMax: pick(chance, [4_000, 12_000, 1_000_000]),
    },
  }
}

export function drawPlan(chance: SeededChance, measure: Measure): Plan {
  const times = <Each>(below: number, draw: () => Each) => Array.from({ length: chance.below(below) }, draw)
  const moment = () => chance.below(Math.max(1, measure.durationMs))
  return {
    cutsAfterCalls: times(5, () => drawCut(chance, measure.calls)),
    closedAtMs: times(3, moment),
    troubles: times(4, () => drawTrouble(chance, moment())),
    wishes: times(4, () => ({ atMs: moment(), action: drawWish(chance) })).sort((one, other) => one.atMs - other.atMs),
    clockJumps: times(3, () => ({ atMs: moment(), byMs: drawJump(chance) })),
  }
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
    /^\//,
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

/** A second, an hour for summer time set by hand, a night in a bag, a battery that had run out. */
function drawJump(chance: SeededChance): number {
  const byMs = pick(chance, [1_000, 3_600_000, 9 * 3_600_000, 400 * 86_400_000])
  return chance.happens(500) ? byMs : -byMs
}
