/** The reset loop: completes requests of users and windows (pauses, waits, stops, restarts, resumes) once no document of the
 *  job is in progress. It also ends the cleanup. */
import { message, type Message } from '../../contract/words/message.ts'
import type { JobState } from '../../contract/states/jobStates.ts'
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { errorColumns } from '../model/blocker.ts'
import { followAll } from '../settle/hops/following.ts'
import { removalFrom } from '../settle/removal.ts'
import { leaveEarlierRun } from './earlierRun.ts'
import type { Engine, Loop } from './engine.ts'
import { excludeWaiting } from './finisher.ts'

export function resetLoop(engine: Engine): Loop {
  return {
    name: 'reset',
    pass(running) {
      for (const { id, state } of running) completions[state]?.(engine, id)
    },
  }
}

/** Maps each state to the action that completes it. */
const completions: Partial<Record<JobState, (engine: Engine, job: number) => void>> = {
  PAUSING: (engine, job) => drained(engine, job, message('jobLog.paused')),
  PAUSINGSEEDING: (engine, job) => drained(engine, job, message('jobLog.paused')),
  PAUSINGWAITING: (engine, job) => drained(engine, job, message('jobLog.paused.windowEnded')),
  PAUSINGWAITINGSEEDING: (engine, job) => drained(engine, job, message('jobLog.paused.windowEnded')),
  ACTIVEWAITING: (engine, job) => drained(engine, job, message('jobLog.window.endedWaiting')),
  ACTIVEWAITINGSEEDING: (engine, job) => drained(engine, job, message('jobLog.window.endedWaiting')),
  ABORTING: stopped,
  ABORTINGSHUTTINGDOWN: stopped,
  ABORTINGFORRESTART: restarted,
  ABORTINGFORRESTARTMINIMAL: restarted,
  RESUMING: resumed,
  RESUMINGSEEDING: resumed,
  SHUTTINGDOWN: cleaned,
}

/** Ends the cleanup once every document that was not found again is removed or kept. Removals may have made other documents
 *  due. */
function cleaned(engine: Engine, job: number): void {
  if (engine.jobWork.isBusy(job)) return
  const { gone } = engine.definitionOf(job).recheck ?? recheckOnce
  if (removalFrom(engine.store).hasToClean(job, gone)) return
  // A kill may have come between the removal of documents and that of the documents reachable only through them.
  const { store, definitionOf, world } = engine
  followAll({ store, job, definition: definitionOf(job) }, world.clock.now())
  if (engine.queue.anyWaiting.get({ job })) return void engine.move(job, 'foundMore')
  engine.store.transaction(() => {
    if (engine.move(job, 'cleaned') !== undefined) engine.sql.endRun.run({ job, nowMs: engine.world.clock.now() })
  })
}

/** Completes a pause or the end of a window. A seeding continues: it hands out no documents. */
function drained(engine: Engine, job: number, line: Message): void {
  if (engine.jobWork.isBusy(job, 'workers')) return
  if (engine.move(job, 'drained') === undefined) return
  engine.log(job, 'info', line)
}

function stopped(engine: Engine, job: number): void {
  if (engine.jobWork.isBusy(job)) return
  const { kind, run, startedMs, state } = engine.rowOf(job)
  if (kind === 'import' || run === 1 || startedMs !== null) return completeStop(engine, job)
  // Stopped before the startup has ended: it may not have left the previous run behind.
  engine.jobWork.begin(job, { loop: 'reset', goesOnIn: [state] }, async (signal) => {
    await leaveEarlierRun(engine, { job, isMinimal: false, signal })
    if (engine.rowOf(job).state === state) completeStop(engine, job)
  })
}

function completeStop(engine: Engine, job: number): void {
  engine.store.transaction(() => {
    excludeWaiting(engine, job, 'jobStopped')
    engine.sql.setStopReason.run({ job, stopReason: 'DOWNLOAD_UNFINISHED' })
    engine.sql.endRun.run({ job, nowMs: engine.world.clock.now() })
    engine.move(job, 'drained')
  })
  engine.log(job, 'info', message('jobLog.stopped'))
}

function restarted(engine: Engine, job: number): void {
  if (engine.jobWork.isBusy(job)) return
  engine.store.transaction(() => {
    engine.sql.beginRun.run({ job, runId: engine.world.chance.uuid() })
    engine.move(job, 'drained')
  })
  engine.log(job, 'info', message('jobLog.restarting'))
}

function resumed(engine: Engine, job: number): void {
  if (engine.jobWork.isBusy(job, 'workers')) return
  if (engine.move(job, 'resumed') === undefined) return
  engine.sql.setError.run({ job, ...errorColumns(undefined) })
  engine.onChanged(job)
}
