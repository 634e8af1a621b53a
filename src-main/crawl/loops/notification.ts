/** The notification loop: what a run left is told to the archive, which stores it in every replica. */
import { completeJob } from '../completion.ts'
import { outputOf } from '../connectors/registry.ts'
import { removeJob } from '../recrawl/jobRemoval.ts'
import type { Engine, Loop } from './engine.ts'

export function notificationLoop(engine: Engine): Loop {
  return {
    name: 'notification',
    pass(running) {
      for (const { id: job, state } of running) {
        if (state === 'READYFORDELETENOTIFY' && !engine.tasks.isBusy(job)) {
          const goesOnIn = ['READYFORDELETENOTIFY', 'NOTIFYINGOFDELETION'] as const
          engine.tasks.begin(job, { loop: 'notification', goesOnIn }, (signal) => goAway(engine, job, signal))
        }
        if (state !== 'READYFORNOTIFY' || engine.tasks.isBusy(job)) continue
        engine.tasks.begin(
          job,
          { loop: 'notification', goesOnIn: ['READYFORNOTIFY', 'NOTIFYINGOFCOMPLETION'] },
          (signal) => notify(engine, job, signal),
        )
      }
    },
  }
}

/** The last of a job that is deleted. Nobody beside the person has to be told: the archive keeps what it has. */
async function goAway(engine: Engine, job: number, signal: AbortSignal): Promise<void> {
  const { store, world } = engine
  if (engine.move(job, 'notificationTaken') === undefined) return
  await removeJob({ store, world, signal }, job)
  engine.onChanged(job)
}

async function notify(engine: Engine, job: number, taskSignal: AbortSignal): Promise<void> {
  const { store, sql, world } = engine
  const signal = AbortSignal.any([engine.signal, taskSignal])
  if (engine.move(job, 'notificationTaken') === undefined) return
  engine.onChanged(job)
  const { keeps } = outputOf(engine.definitionOf(job))
  const problem = await completeJob({
    ...engine.fileSetting(job),
    ...{ archive: engine.archive, jobs: engine.jobs, signal, keeps },
  })
  if (signal.aborted) return
  store.transaction(() => {
    // Also to nothing: what an earlier end could not store may be stored now.
    sql.endError.run({ job, text: problem ?? null })
    sql.end.run({ job, nowMs: world.clock.now() })
    engine.move(job, 'notified')
  })
  engine.say(job, problem === undefined ? 'info' : 'error', problem ?? (keeps ? storedText : dryText))
}

const storedText = 'Every file is stored in every replica.'
const dryText = 'A dry run: everything was counted, and nothing was written down.'
