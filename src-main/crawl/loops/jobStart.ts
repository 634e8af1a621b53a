/** The job start loop: starts a job when a window of its schedule begins, makes it wait when the window ends and resumes it
 *  in the next one. No other loop moves jobs by windows. All its state is in the database: after a suspend, a change of the
 *  clock or a kill it only looks at the current time again.
 *
 *  A window starts one run because only windows that began after `last_assessed_ms` count, which the end of each run moves
 *  forward. Unlike in ManifoldCF, a pass without a match does not move it forward: a window in which nothing was started
 *  would be lost if the clock were set back into it, and the disk would be written every ten seconds for nothing. */
import { message } from '../../contract/words/message.ts'
import { jobStates } from '../../contract/states/jobStates.ts'
import { scheduleStatements, type Waiting } from '../schedule/schedule.sql.ts'
import { scheduleOf } from '../schedule/schedules.ts'
import { timeInZone } from '../schedule/status.ts'
import { assess, type Window } from '../schedule/windows.ts'
import type { Engine, Loop } from './engine.ts'

/** Interval of the passes. Windows begin on whole minutes: a run starts at most this much late. */
const checkEveryMs = 10_000
const hourMs = 3_600_000
/** Largest plausible step back of the clock, which covers time zones and daylight saving. A larger step means that the clock
 *  was wrong before. */
const putBackMsMax = 26 * hourMs
/** Longest distance to the end of a window (contract/services/schedule.ts). A window that ends later was begun by a wrong
 *  clock. */
const windowMsMax = 366 * 24 * hourMs + putBackMsMax

/** The parts of the engine that the loop uses: no disk, no network. */
export type JobStartEngine = Pick<Engine, 'store' | 'world' | 'sql' | 'move' | 'log'>
type Statements = ReturnType<typeof scheduleStatements>

export function jobStartLoop(engine: JobStartEngine): Loop {
  const sql = scheduleStatements(engine.store)
  return {
    name: 'jobStart',
    everyMs: checkEveryMs,
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
  if (state !== undefined && !jobStates.next(state, 'drained')) engine.log(job, 'info', message('jobLog.window.ended'))
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
  const opened =
    window.endMs === null
      ? message('jobLog.window.opened')
      : message('jobLog.window.openedUntil', { end: timeInZone(schedule, window.endMs) })
  engine.log(row.id, 'info', opened)
}

/** Starts a run like a manual start: nothing of the previous run is kept. */
function start(engine: JobStartEngine, sql: Statements, { id: job, endedMs }: Waiting, window: Window): boolean {
  if (engine.move(job, window.minimal ? 'scheduledMinimal' : 'scheduled') === undefined) return false
  if (endedMs !== null) engine.sql.beginRun.run({ job, runId: engine.world.chance.uuid() })
  sql.setWindowBegin.run({ job, beginMs: window.beginMs })
  return true
}

/** Time after which windows count. A run may have ended, by a clock that was set back, before the window that started it. */
function lastStartMs({ lastMs, windowBeginMs }: Waiting): number {
  return Math.max(lastMs, windowBeginMs ?? 0)
}

/** Resets times that were recorded while the clock was far ahead, so that the schedule does not wait for them. */
function mended(engine: JobStartEngine, sql: Statements, row: Waiting, nowMs: number): Waiting {
  if (lastStartMs(row) <= nowMs + putBackMsMax) return row
  sql.forgetAhead.run({ job: row.id, nowMs })
  engine.log(row.id, 'warning', message('jobLog.window.clockAhead'))
  return { ...row, lastMs: nowMs, windowBeginMs: null }
}
