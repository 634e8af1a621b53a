/** The job-start loop: the schedule of a job starts it, a window that ends makes it wait, the next one makes it go on. It alone
 *  moves jobs by windows, and it knows nothing that does not stand in the database: a machine that slept, a clock that was
 *  put on or back and a kill are all the same to it, another look at what time it is.
 *
 *  A window starts one run because only windows count that began after `last_assessed_ms`, which the end of each run moves on.
 *  It is not moved on at each look without a match, as ManifoldCF does: a window in which nothing was started
 *  would be lost if the clock is put back into it, and the disk would be woken every ten seconds for nothing. */
import { jobStates } from '../../contract/states/jobStates.ts'
import { scheduleStatements, type Waiting } from '../schedule/schedule.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'
import { timeInZone } from '../schedule/status.ts'
import { assess, type Window } from '../schedule/windows.ts'
import type { Engine, Loop } from './engine.ts'

/** Windows begin on whole minutes: a run is not later than this. */
const lookMs = 10_000
const hourMs = 3_600_000
/** A clock is put back by more than this only when it was wrong before: time zones and daylight saving are within it. */
const putBackMsMax = 26 * hourMs
/** No window is longer (contract/services/schedule.ts): one that ends farther away was begun by a clock that was wrong. */
const windowMsMax = 366 * 24 * hourMs + putBackMsMax

/** What it needs of the engine: no disk, no network. */
export type JobStartEngine = Pick<Engine, 'store' | 'world' | 'sql' | 'move' | 'log'>
type Statements = ReturnType<typeof scheduleStatements>

export function jobStartLoop(engine: JobStartEngine): Loop {
  const sql = scheduleStatements(engine.store)
  return {
    name: 'jobStart',
    everyMs: lookMs,
    pass() {
      const nowMs = engine.world.clock.now()
      for (const { id } of sql.windowOver.all({ nowMs, farMs: nowMs + windowMsMax })) endWindow(engine, sql, id)
      for (const row of sql.waiting.all({})) beginWindow(engine, sql, mended(engine, sql, row, nowMs), nowMs)
    },
  }
}

function endWindow(engine: JobStartEngine, sql: Statements, job: number): void {
  const state = engine.store.transaction(() => {
    const to = engine.move(job, 'windowEnded')
    if (to !== undefined) sql.setWindowEnd.run({ job, endMs: null })
    return to
  })
  // While documents are in progress, the message waits until they are done.
  if (state !== undefined && !jobStates.next(state, 'drained')) engine.log(job, 'info', 'The time window has ended.')
}

function beginWindow(engine: JobStartEngine, sql: Statements, row: Waiting, nowMs: number): void {
  const schedule = scheduleOf(row.schedule)
  const isWaiting = jobStates.next(row.state, 'windowBegan') !== undefined
  const window = assess(schedule, isWaiting ? row.lastMs : lastStartMs(row), nowMs)
  if (!window) return
  const isBegun = engine.store.transaction(() => {
    const isMoved = isWaiting ? engine.move(row.id, 'windowBegan') !== undefined : start(engine, sql, row, window)
    if (isMoved) sql.setWindowEnd.run({ job: row.id, endMs: window.endMs })
    return isMoved
  })
  if (!isBegun) return
  const until = window.endMs === null ? 'it does not close' : `it closes at ${timeInZone(schedule, window.endMs)}`
  engine.log(row.id, 'info', `A scheduled time window has opened; ${until}.`)
}

/** The same as a manual start: nothing of the previous run is left. */
function start(engine: JobStartEngine, sql: Statements, { id: job, endedMs }: Waiting, window: Window): boolean {
  if (engine.move(job, window.minimal ? 'scheduledMinimal' : 'scheduled') === undefined) return false
  if (endedMs !== null) engine.sql.beginRun.run({ job, runId: engine.world.chance.uuid() })
  sql.setWindowBegin.run({ job, beginMs: window.beginMs })
  return true
}

/** A run may have ended by a clock that was put back before the window that started it. */
function lastStartMs({ lastMs, windowBeginMs }: Waiting): number {
  return Math.max(lastMs, windowBeginMs ?? 0)
}

/** A due time that was written while the clock was far ahead is not waited for. */
function mended(engine: JobStartEngine, sql: Statements, row: Waiting, nowMs: number): Waiting {
  if (lastStartMs(row) <= nowMs + putBackMsMax) return row
  sql.forgetAhead.run({ job: row.id, nowMs })
  engine.log(
    row.id,
    'warning',
    'The system clock was far ahead during the last run. The schedule counts from the current time.',
  )
  return { ...row, lastMs: nowMs, windowBeginMs: null }
}
