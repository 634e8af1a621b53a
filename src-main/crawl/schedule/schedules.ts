/** Schedules as users see and change them, answered from the database. `loops/jobStart.ts` starts jobs by them in another
 *  thread and reads changes at its next pass. */
import { message, type Message } from '../../contract/words/message.ts'
import {
  scheduleShape,
  type JobSchedule,
  type Schedule,
  type ScheduleWindow,
} from '../../contract/services/schedule.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { isUnderWay, type JobState } from '../../contract/states/jobStates.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { inWords } from './inWords.ts'
import { scheduleStatements, type ScheduleListRow } from './schedule.sql.ts'
import { statusOf, noEngineStatus, waitsForWindow } from './status.ts'
import { nextRuns, openNow, type Window } from './windows.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

/** Access to the schedules. */
export interface Schedules {
  list(): Omit<JobSchedule, 'status'>[]
  show(job: number): Omit<JobSchedule, 'status'>
  /** Sets or removes a schedule. Throws `Fault` notFound, or refused for a job that cannot be scheduled. */
  set(job: number, schedule: Schedule | null): void
  preview(asked: { schedule: Schedule; fromMs?: number | undefined; count: number }): {
    words: Message[]
    runs: ScheduleWindow[]
  }
}

/** Most upcoming windows to show with a schedule: as many as fit on a screen. */
const nextMax = 10

/** Opens the schedules. `isWorkedOn` is false in a process that only reads an archive on which no other process works. */
export function openSchedules(store: Store, world: World, { isWorkedOn = true } = {}): Schedules {
  const sql = scheduleStatements(store)

  function rowOf(job: number): ScheduleListRow {
    const row = sql.one.get({ job })
    if (!row) throw new Fault('notFound', message('job.absent', { job }))
    if (row.kind !== 'event') {
      throw new Fault('refused', message('job.import.noSchedule', { job }))
    }
    return row
  }

  function scheduleOfJob(row: ScheduleListRow): Omit<JobSchedule, 'status'> {
    const job = scheduledJob(row, world.clock.now())
    return !isWorkedOn && isUnderWay(row.state) ? { ...job, doing: noEngineStatus } : job
  }

  return {
    list: () => sql.list.all({}).map(scheduleOfJob),
    show: (job) => scheduleOfJob(rowOf(job)),
    set(job, schedule) {
      rowOf(job)
      // Windows that began before the schedule was saved are not started late: the schedule counts from now on.
      sql.setSchedule.run({
        job,
        schedule: schedule === null ? null : JSON.stringify(schedule),
        nowMs: world.clock.now(),
      })
    },
    preview: ({ schedule, fromMs, count }) => ({
      words: schedule.records.map(inWords),
      runs: runsOf(schedule, fromMs ?? world.clock.now(), count).map(shown),
    }),
  }
}

/** Parses a stored schedule, which was validated when it was set. */
export function scheduleOf(stored: string): Schedule {
  return scheduleShape.parse(JSON.parse(stored))
}

/** Returns the status of a job that waits because it is outside its window; null if it does not wait. */
export function windowStatus(
  { state, schedule: stored }: { state: JobState; schedule: string | null },
  nowMs: number,
): Message | null {
  if (!waitsForWindow(state)) return null
  const schedule = stored === null ? null : scheduleOf(stored)
  const next = schedule ? runsOf(schedule, nowMs, 1)[0] : undefined
  return statusOf({ state, schedule, windowEndMs: null, next })
}

function scheduledJob(row: ScheduleListRow, nowMs: number): Omit<JobSchedule, 'status'> {
  const schedule = row.schedule === null ? null : scheduleOf(row.schedule)
  const next = schedule ? runsOf(schedule, nowMs, nextMax) : []
  const open = schedule ? openNow(schedule, nowMs) : undefined
  return {
    job: row.id,
    harvest: row.harvest,
    state: row.state,
    schedule,
    words: schedule?.records.map(inWords) ?? [],
    doing: statusOf({ state: row.state, schedule, windowEndMs: row.windowEndMs, next: next[0] }),
    windowEnd: timeOf(row.windowEndMs),
    windowNow: open ? shown(open) : null,
    next: next.map(shown),
    started: timeOf(row.startedMs),
    ended: timeOf(row.endedMs),
  }
}

function runsOf(schedule: Schedule, fromMs: number, count: number): Window[] {
  return schedule.startMethod === 'DISABLE' ? [] : nextRuns(schedule.records, fromMs, count)
}

function shown({ beginMs, endMs, minimal }: Window): ScheduleWindow {
  return { begin: new Date(beginMs).toISOString(), end: timeOf(endMs), minimal }
}
