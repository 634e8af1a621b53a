/** When a job runs by itself: schedule records, windows, and what people may ask about them. What a record means is worked
 *  out in `crawl/schedule`. Days and months count from 1 as on a calendar, days of the week from Sunday = 0. */
import { z } from 'zod'
import { jobStates } from '../states/jobStates.ts'
import { call } from '../calls/service.ts'

const time = z.iso.datetime()
const jobId = z.int().min(1)

/** `WINDOWBEGIN`: a run starts when a window begins, once for each window. `WINDOWINSIDE`: it may start at any time inside
 *  a window, again right after it has finished too. `DISABLE`: the records are kept, and nothing starts by itself. */
export const startMethods = ['WINDOWBEGIN', 'WINDOWINSIDE', 'DISABLE'] as const
export type StartMethod = (typeof startMethods)[number]

/** Some of its values, any of them, or (null) whatever the other fields make of it: before the smallest field that is given
 *  it is the least value (minute 0, hour 0, the 1st, January), after it any. */
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

/** Intl knows what the machine knows; the names are those of the IANA data base. */
const timeZone = z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin or UTC')

/** Years that a clock can be set to and that every calendar counts alike. */
const yearLeast = 1970
const yearMost = 9999
/** A window of more than a year is one without an end. */
const durationMinutesMax = 366 * 24 * 60

export const scheduleRecord = z.strictObject({
  daysOfWeek: field(0, 6),
  months: field(1, 12),
  daysOfMonth: field(1, 31),
  years: field(yearLeast, yearMost),
  hours: field(0, 23),
  minutes: field(0, 59),
  /** Null: UTC. */
  timeZone: timeZone.nullable().default(null),
  /** How long the window is open; null: the run goes on until it is finished. */
  durationMinutes: z.int().min(1).max(durationMinutesMax).nullable().default(null),
  /** What it starts is a minimal run: only what is new is looked for. */
  minimal: z.boolean().default(false),
})
export type ScheduleRecord = z.output<typeof scheduleRecord>

/** More records than this would be a calendar that no one can read. */
const recordsMax = 50

export const scheduleShape = z.strictObject({
  startMethod: z.enum(startMethods).default('WINDOWBEGIN'),
  records: z.array(scheduleRecord).min(1, 'at least one record is needed').max(recordsMax),
})
export type Schedule = z.output<typeof scheduleShape>

/** From when to when a job may run; without an end it runs until it is finished. */
export const scheduleWindow = z.object({ begin: time, end: time.nullable(), minimal: z.boolean() })
export type ScheduleWindow = z.output<typeof scheduleWindow>

/** A job with what its schedule makes of it. */
export const jobSchedule = z.object({
  job: jobId,
  harvest: z.string(),
  state: z.enum(jobStates.states),
  status: z.string(),
  /** Null: the job only starts manually. */
  schedule: scheduleShape.nullable(),
  /** Each record as a sentence. */
  words: z.array(z.string()),
  /** What it does or waits for now, as a sentence. */
  standing: z.string(),
  /** The window that it runs in must end then; null: nothing ends this run but itself. */
  windowEnd: time.nullable(),
  /** The window that is open now, whether the job runs or not. */
  windowNow: scheduleWindow.nullable(),
  /** The windows that begin next. */
  next: z.array(scheduleWindow),
  /** When its last run started and ended. */
  started: time.nullable(),
  ended: time.nullable(),
})
export type JobSchedule = z.output<typeof jobSchedule>

export const scheduleService = {
  /** Every job that can be scheduled, with or without a schedule, the newest first. */
  list: call(z.object({}), z.array(jobSchedule)),
  show: call(z.strictObject({ job: jobId }), jobSchedule),
  /** Gives a job another schedule, or (null) takes it away; at rest or running. A window that a run is in stays as it is. */
  set: call(z.strictObject({ job: jobId, schedule: scheduleShape.nullable() }), jobSchedule),
  /** What a schedule means, as a preview while it is edited. */
  nextRuns: call(
    z.strictObject({
      schedule: scheduleShape,
      /** Absent: now. */
      from: time.optional(),
      count: z.int().min(1).max(100).default(10),
    }),
    z.object({ words: z.array(z.string()), runs: z.array(scheduleWindow) }),
  ),
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    // That is how Intl says no.
    if (error instanceof RangeError) return false
    throw error
  }
}
