/** The notification loop: hands the files of a run to the archive, which stores them in every replica, and tells the outputs of the job that
 *  it has ended. */
import { message } from '../../contract/words/message.ts'
import { completeJob, describeRun } from '../finish/completion.ts'
import { outputOf } from '../capture/connectors/registry.ts'
import { hasUnstored } from '../capture/records/jobFiles.ts'
import { errorColumns } from '../model/blocker.ts'
import { removeJob } from '../settle/jobRemoval.ts'
import type { Engine, Loop } from './engine.ts'
import { announceEnd, outputsTold } from './outputsTold.ts'
import { statesOfWork } from './jobWork.ts'

export function notificationLoop(engine: Engine): Loop {
  return {
    name: 'notification',
    pass(running) {
      for (const { id: job, state } of running) {
        if (state === 'READYFORDELETENOTIFY' && !engine.jobWork.isBusy(job)) {
          const goesOnIn = statesOfWork(state, 'notificationTaken')
          engine.jobWork.begin(job, { loop: 'notification', goesOnIn }, (signal) => finishDeletion(engine, job, signal))
        }
        if (state !== 'READYFORNOTIFY' || engine.jobWork.isBusy(job)) continue
        engine.jobWork.begin(
          job,
          { loop: 'notification', goesOnIn: statesOfWork(state, 'notificationTaken') },
          (signal) => notify(engine, job, signal),
        )
      }
      for (const { id: job } of engine.sql.undescribed.all({})) {
        if (engine.jobWork.isBusy(job)) continue
        engine.jobWork.begin(job, { loop: 'notification', goesOnIn: ['INACTIVE'] }, (signal) =>
          describe(engine, job, signal),
        )
      }
    },
  }
}

/** Writes the metadata of a run that a user stopped while its files were being stored; the files are stored at the next
 *  start. The metadata is written now, because another run may begin before that. */
async function describe(engine: Engine, job: number, taskSignal: AbortSignal): Promise<void> {
  const { store, sql } = engine
  const signal = AbortSignal.any([engine.signal, taskSignal])
  const problem = keepsOf(engine, job)
    ? await describeRun({ ...engine.fileSetting(job), archive: engine.archive, jobs: engine.jobs, signal })
    : undefined
  if (signal.aborted) return
  store.transaction(() => {
    if (problem !== undefined) sql.endError.run({ job, ...errorColumns(problem) })
    sql.described.run({ job })
  })
  engine.log(job, problem === undefined ? 'info' : 'error', problem?.message ?? message('jobLog.described'))
}

/** Tells whether the job has files to store. A dry run may follow a run that was not one and whose files are not in every
 *  replica yet. */
function keepsOf({ store, ranWith }: Engine, job: number): boolean {
  return outputOf(ranWith(job)).keeps || hasUnstored(store, job)
}

/** Removes the job: the last step of a deletion. The archive keeps its files. */
async function finishDeletion(engine: Engine, job: number, taskSignal: AbortSignal): Promise<void> {
  const { store, world } = engine
  const signal = AbortSignal.any([engine.signal, taskSignal])
  if (engine.move(job, 'notificationTaken') === undefined) return
  const end = announceEnd(engine, job, 'deleted')
  await outputsTold(engine, end, signal)
  if (signal.aborted) return
  await removeJob({ store, world, signal }, job)
  engine.ends.forget(job)
  engine.onChanged(job)
}

/** Stores the files of the run, records its end, and lets the job rest. Files that could not be stored are stored at a later end
 *  or start. */
async function notify(engine: Engine, job: number, taskSignal: AbortSignal): Promise<void> {
  const { store, sql, world } = engine
  const signal = AbortSignal.any([engine.signal, taskSignal])
  if (engine.move(job, 'notificationTaken') === undefined) return
  engine.onChanged(job)
  // What the outputs still have to receive goes there while the files are stored.
  const end = announceEnd(engine, job, 'completed')
  const keeps = keepsOf(engine, job)
  const problem = await completeJob({
    ...engine.fileSetting(job),
    ...{ archive: engine.archive, jobs: engine.jobs, signal, keeps, quarantineFolder: engine.quarantineFolder },
    log: (job, line) => (job === null ? undefined : engine.log(job, 'warning', line)),
  })
  await outputsTold(engine, end, signal)
  if (signal.aborted) return
  store.transaction(() => {
    // Also without a blocker: files that could not be stored at an earlier end may be stored now.
    sql.endError.run({ job, ...errorColumns(problem) })
    sql.end.run({ job, nowMs: world.clock.now() })
    sql.described.run({ job })
    // A user may have stopped the job just now; by then everything was stored.
    engine.move(job, 'notified')
  })
  const done = keeps ? message('jobLog.stored') : message('jobFinding.dryRun')
  engine.log(job, problem === undefined ? 'info' : 'error', problem?.message ?? done)
}
