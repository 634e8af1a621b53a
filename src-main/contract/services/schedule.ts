/**
 * Schedules of jobs: records, windows, and the calls about them. `crawl/schedule` evaluates the records. Days and months count from 1 as on
 * a calendar, days of the week from Sunday = 0.
 */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { jobId, messageShape, nothing, time } from '../shapes/shapes.ts'
import { jobStates } from '../states/jobStates.ts'
import { jobStatuses } from '../states/jobStatuses.ts'
import { call } from '../calls/service.ts'
import { message } from '../words/message.ts'

/**
 * `WINDOWBEGIN`: a run starts when a window begins, once for each window. `WINDOWINSIDE`: a run may start at any time inside a window, also
 * right after one has finished. `DISABLE`: the records are kept, and nothing starts by itself.
 */
export const startMethods = ['WINDOWBEGIN', 'WINDOWINSIDE', 'DISABLE'] as const
export type StartMethod = (typeof startMethods)[number]

/**
 * A field of a record: some of its values, any of them, or null, which depends on the other fields: above the smallest field that is given
 * it means any value, below it the least one (minute 0, hour 0, the 1st, January).
 */
function field(least: number, most: number) {
  const value = z.int().min(least).max(most)
  return z
    .union([
      z.literal('any'),
      z
        .array(value)
        .min(1)
        .max(most - least + 1),
    ])
    .nullable()
    .default(null)
}

/** Intl knows the time zones of the machine; the names are those of the IANA database. */
export const timeZone = z.string().refine(
  isTimeZone,
  refusedAs((field) => message('value.timeZone', { field })),
)

/** Years that a clock can be set to and that every calendar counts alike. */
const yearLeast = 1970
const yearMost = 9999
/** A window of more than a year counts as one without an end. */
const durationMinutesMax = 366 * 24 * 60

/** Shape of one record of a schedule. */
export const scheduleRecord = z.strictObject({
  daysOfWeek: field(0, 6),
  months: field(1, 12),
  daysOfMonth: field(1, 31),
  years: field(yearLeast, yearMost),
  hours: field(0, 23),
  minutes: field(0, 59),
  /** Null: UTC. */
  timeZone: timeZone.nullable().default(null),
  /** Length of the window; null: the run continues until it is finished. */
  durationMinutes: z.int().min(1).max(durationMinutesMax).nullable().default(null),
  /** Whether it starts a minimal run, which only looks for new documents. */
  minimal: z.boolean().default(false),
})
export type ScheduleRecord = z.output<typeof scheduleRecord>

/** A schedule with more records would be unreadable. */
const recordsMax = 50

/** Shape of a schedule. */
export const scheduleShape = z.strictObject({
  startMethod: z.enum(startMethods).default('WINDOWBEGIN'),
  records: z.array(scheduleRecord).min(1).max(recordsMax),
})
export type Schedule = z.output<typeof scheduleShape>

/** Period in which a job may run; without an end it runs until it is finished. */
export const scheduleWindow = z.object({ begin: time, end: time.nullable(), minimal: z.boolean() })
export type ScheduleWindow = z.output<typeof scheduleWindow>

/** A job with the state of its schedule. */
export const jobSchedule = z.object({
  job: jobId,
  harvest: z.string(),
  state: z.enum(jobStates.states),
  status: z.enum(jobStatuses),
  /** Null: the job only starts manually. */
  schedule: scheduleShape.nullable(),
  /** Each record as a sentence. */
  words: z.array(messageShape),
  /** Current activity, or what the job waits for, as a sentence. */
  doing: messageShape,
  /** End of the window in which the job runs; null: the run has no time limit. */
  windowEnd: time.nullable(),
  /** The window that is open now, whether the job runs or not. */
  windowNow: scheduleWindow.nullable(),
  /** The next windows. */
  next: z.array(scheduleWindow),
  /** When its last run started and ended. */
  started: time.nullable(),
  ended: time.nullable(),
})
export type JobSchedule = z.output<typeof jobSchedule>

export const scheduleService = {
  /** Lists every job that can be scheduled, with or without a schedule, the newest first. */
  list: call(nothing, z.array(jobSchedule)),
  show: call(z.strictObject({ job: jobId }), jobSchedule),
  /** Replaces the schedule of a job, or removes it (null), whether the job runs or not. The window of a run in progress does not change. */
  set: call(z.strictObject({ job: jobId, schedule: scheduleShape.nullable() }), jobSchedule),
  /** Returns the meaning of a schedule, as a preview while it is edited. */
  nextRuns: call(
    z.strictObject({
      schedule: scheduleShape,
      /** Absent: now. */
      from: time.optional(),
      count: z.int().min(1).max(100).default(10),
    }),
    z.object({ words: z.array(messageShape), runs: z.array(scheduleWindow) }),
  ),
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    // Intl throws it for an unknown time zone.
    if (error instanceof RangeError) return false
    throw error
  }
}
