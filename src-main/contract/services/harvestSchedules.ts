/** Schedules of selective harvests: objects with a name that several harvests share. `harvest/calendar` computes their runs. They are
 *  NetarchiveSuite's schedules; windows of jobs are in `schedule.ts`. */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { call, event } from '../calls/service.ts'
import { count, messageShape, nothing, time } from '../shapes/shapes.ts'
import { message } from '../words/message.ts'
import { timeZone } from './schedule.ts'

/** Units of the interval between two runs, from the shortest. */
export const timingUnits = ['minute', 'hour', 'day', 'week', 'month'] as const
export type TimingUnit = (typeof timingUnits)[number]

/** Parts of an exact time that a schedule of each unit has. */
const partsOf = {
  minute: [],
  hour: ['minute'],
  day: ['hour', 'minute'],
  week: ['dayOfWeek', 'hour', 'minute'],
  month: ['dayOfMonth', 'hour', 'minute'],
} as const satisfies Record<TimingUnit, readonly TimePart[]>

/** An exact time inside the unit, by the clock of the time zone. */
const timeInUnit = z.strictObject({
  minute: z.int().min(0).max(59).optional(),
  hour: z.int().min(0).max(23).optional(),
  /** From Sunday = 0. */
  dayOfWeek: z.int().min(0).max(6).optional(),
  /** In a shorter month: its last day. */
  dayOfMonth: z.int().min(1).max(31).optional(),
})
type TimePart = keyof z.output<typeof timeInUnit>
export type TimeInUnit = z.output<typeof timeInUnit>

/** An interval of more units would be a date, not a rhythm. */
const everyMost = 1_000

/** Shape of the timing of a schedule. */
export const harvestTiming = z
  .strictObject({
    unit: z.enum(timingUnits),
    /** Units between two runs. */
    every: z.int().min(1).max(everyMost).default(1),
    /** Exactly the parts that the unit has; null: at any time, so the interval counts from the last planned run. */
    at: timeInUnit.nullable().default(null),
    /** No run is planned before; null: none is excluded. */
    start: time.nullable().default(null),
    /** No run is planned at this time or later. */
    end: time.nullable().default(null),
    /** Number of runs after which the schedule ends. */
    runs: z.int().min(1).nullable().default(null),
    /** Null: UTC. */
    timeZone: timeZone.nullable().default(null),
  })
  .refine(({ unit, at }) => at === null || hasExactly(at, partsOf[unit]), {
    ...refusedAs(() => message('value.timing.at')),
    path: ['at'],
  })
  .refine(({ end, runs }) => end === null || runs === null, {
    ...refusedAs(() => message('value.timing.end')),
    path: ['runs'],
  })
export type HarvestTiming = z.output<typeof harvestTiming>

function hasExactly(at: TimeInUnit, parts: readonly TimePart[]): boolean {
  const given = Object.keys(at).filter((part) => at[part as TimePart] !== undefined)
  return given.length === parts.length && parts.every((part) => at[part] !== undefined)
}

const scheduleName = z.string().trim().min(1).max(200)

/** What a user gives a schedule. */
export const harvestScheduleInput = z.strictObject({
  name: scheduleName,
  comments: z.string().max(10_000).default(''),
  timing: harvestTiming,
})
export type HarvestScheduleInput = z.output<typeof harvestScheduleInput>

/** Shape of a schedule as it is listed. */
export const harvestScheduleRow = z.object({
  name: scheduleName,
  comments: z.string(),
  timing: harvestTiming,
  /** The timing in words. */
  words: messageShape,
  isBuiltIn: z.boolean(),
  /** Names of the first harvests that use it, and the number of all. */
  harvests: z.object({ names: z.array(z.string()), total: count }),
  /** Times of the next runs of a harvest that would begin with it now; empty: the schedule is over. */
  next: z.array(time),
})
export type HarvestScheduleRow = z.output<typeof harvestScheduleRow>

const named = z.strictObject({ name: scheduleName })

export const harvestScheduleCalls = {
  list: call(nothing, z.array(harvestScheduleRow)),
  show: call(named, harvestScheduleRow),
  add: call(harvestScheduleInput, harvestScheduleRow),
  /** Changes a schedule. The next run of each active harvest that uses it is planned again. */
  edit: call(z.strictObject({ name: scheduleName, schedule: harvestScheduleInput }), harvestScheduleRow),
  /** Refused while a harvest uses it. */
  remove: call(named, nothing),
  /** Times of the next runs of a timing that need not be stored yet. */
  nextRuns: call(z.strictObject({ timing: harvestTiming, count: z.int().min(1).max(100).default(10) }), z.array(time)),
  changed: event(nothing),
} as const
