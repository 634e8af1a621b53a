/** When a selective harvest runs (NetarchiveSuite, `Frequency`, `TimedSchedule`, `RepeatingSchedule`). Pure. Times are counted by the clock
 *  of the schedule's zone; a time that the clock skips is the next that it shows. */
import type { HarvestTiming, TimeInUnit, TimingUnit } from '../../contract/services/harvestSchedules.ts'
import { zoneOf, type Minute, type WallMinute } from '../../crawl/schedule/zone.ts'

const minuteMs = 60_000
const hourMinutes = 60
const dayMinutes = 24 * hourMinutes
const weekMinutes = 7 * dayMinutes

/** Length of the units that are always equally long; a month is not. */
const unitMinutes: Record<Exclude<TimingUnit, 'month'>, number> = {
  minute: 1,
  hour: hourMinutes,
  day: dayMinutes,
  week: weekMinutes,
}

/** A planned run. */
export interface PlannedRun {
  /** Null: the schedule is over. */
  ms: number | null
  /** Runs between the last one and this one that are past and are left out. */
  skipped: number
}

/** Returns the first run at `fromMs` or later, in milliseconds since 1970 UTC; null if the schedule is over. */
export function firstRunMs(timing: HarvestTiming, fromMs: number): number | null {
  const zone = zoneOf(timing.timeZone)
  const startMs = timing.start === null ? fromMs : Math.max(fromMs, Date.parse(timing.start))
  const from = zone.wallAt(Math.ceil(startMs / minuteMs))
  return beforeEnd(timing, zone.firstAt(timing.at === null ? from : firstWall(timing.unit, timing.at, from)) * minuteMs)
}

/** Returns the first run after `nowMs` in the rhythm of the run planned at `lastMs`, after `runs` runs. */
export function nextRun(timing: HarvestTiming, { lastMs, nowMs, runs }: NextRunInput): PlannedRun {
  if (timing.runs !== null && runs >= timing.runs) return { ms: null, skipped: 0 }
  const last = Math.floor(lastMs / minuteMs)
  const msOf = (step: number) => stepped(timing, last, step) * minuteMs
  let step = Math.max(1, stepsUntil(timing, Math.floor(nowMs / minuteMs) - last))
  while (msOf(step) <= nowMs) step += 1
  return { ms: beforeEnd(timing, msOf(step)), skipped: step - 1 }
}

/** Returns the latest time that the schedule plans a run for, as seen from `nowMs`; null if it is over. */
export function latestPlanMs(timing: HarvestTiming, nowMs: number): number | null {
  const first = firstRunMs(timing, nowMs)
  const next = nextRun({ ...timing, runs: null }, { lastMs: nowMs, nowMs, runs: 0 }).ms
  return first === null || next === null ? (first ?? next) : Math.max(first, next)
}

interface NextRunInput {
  /** When the last run was planned. */
  lastMs: number
  nowMs: number
  /** Runs so far. */
  runs: number
}

/** Returns the next runs of a harvest that begins with the schedule at `fromMs`, at most `count`. */
export function plannedRuns(timing: HarvestTiming, fromMs: number, count: number): number[] {
  const planned: number[] = []
  for (let ms = firstRunMs(timing, fromMs); ms !== null && planned.length < count;) {
    planned.push(ms)
    ms = nextRun(timing, { lastMs: ms, nowMs: ms, runs: planned.length }).ms
  }
  return planned
}

function beforeEnd({ end }: HarvestTiming, ms: number): number | null {
  return end !== null && ms >= Date.parse(end) ? null : ms
}

/** A number of steps that surely does not lead beyond the distance, and not far from it. */
function stepsUntil({ unit, every }: HarvestTiming, distanceMinutes: number): number {
  // No month is longer than 31 days. Two steps less: clocks may have been changed in between.
  const length = unit === 'month' ? 31 * dayMinutes : unitMinutes[unit]
  return Math.floor(distanceMinutes / (length * every)) - 2
}

/** The run some steps after the one at `last`. */
function stepped(timing: HarvestTiming, last: Minute, step: number): Minute {
  const { unit, every, at } = timing
  const zone = zoneOf(timing.timeZone)
  // Minutes and hours pass also while a clock is put back; days are counted by the clock.
  if (unit === 'minute' || unit === 'hour') {
    const instant = last + unitMinutes[unit] * every * step
    return at === null ? instant : zone.firstAt(firstWall(unit, at, zone.wallAt(instant)))
  }
  const anchor = anchorOf(unit, at, zone.wallAt(last))
  if (unit === 'month') return zone.firstAt(monthLater(anchor, every * step, at?.dayOfMonth))
  return zone.firstAt(anchor + unitMinutes[unit] * every * step)
}

/** The time by the clock that a run at `last` was planned for: the clock may have skipped it, so that the run was later. */
function anchorOf(unit: 'day' | 'week' | 'month', at: TimeInUnit | null, last: WallMinute): WallMinute {
  if (at === null) return last
  if (unit === 'month') return lastInMonth(at, last)
  const wall = startOf(unit, last) + minutesOf(at)
  return wall > last ? wall - unitMinutes[unit] : wall
}

/** The same time some months later, on a day of the month or its last one. */
function monthLater(wall: WallMinute, months: number, day: number | undefined): WallMinute {
  const date = new Date(wall * minuteMs)
  return dayInMonth(date.getUTCFullYear(), date.getUTCMonth() + months, day ?? date.getUTCDate()) + (wall % dayMinutes)
}

/** Midnight of a day of a month, or of its last day when it is shorter. */
function dayInMonth(year: number, month: number, day: number): WallMinute {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, last)) / minuteMs
}

/** The first exact time at `from` or later. */
function firstWall(unit: TimingUnit, at: TimeInUnit, from: WallMinute): WallMinute {
  if (unit === 'month') return firstInMonth(at, from)
  if (unit === 'minute') return from
  const length = unitMinutes[unit]
  const wall = startOf(unit, from) + minutesOf(at)
  return wall < from ? wall + length : wall
}

function firstInMonth(at: TimeInUnit, from: WallMinute): WallMinute {
  const inSame = exactInMonth(at, from, 0)
  return inSame < from ? exactInMonth(at, from, 1) : inSame
}

function lastInMonth(at: TimeInUnit, last: WallMinute): WallMinute {
  const inSame = exactInMonth(at, last, 0)
  return inSame > last ? exactInMonth(at, last, -1) : inSame
}

/** The exact time in the month of `wall`, or some months later. */
function exactInMonth(at: TimeInUnit, wall: WallMinute, months: number): WallMinute {
  const date = new Date(wall * minuteMs)
  return dayInMonth(date.getUTCFullYear(), date.getUTCMonth() + months, at.dayOfMonth ?? 1) + minutesOf(at)
}

/** Begin of the hour, day or week that contains the time. */
function startOf(unit: 'hour' | 'day' | 'week', wall: WallMinute): WallMinute {
  // 1970-01-01 was a Thursday, so weeks that begin on Sunday begin three days later.
  const shift = unit === 'week' ? 3 * dayMinutes : 0
  return Math.floor((wall - shift) / unitMinutes[unit]) * unitMinutes[unit] + shift
}

function minutesOf({ dayOfWeek = 0, hour = 0, minute = 0 }: TimeInUnit): number {
  return dayOfWeek * dayMinutes + hour * hourMinutes + minute
}
