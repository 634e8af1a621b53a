/** Repairs the effects of a kill before any loop begins: transient states return to the permanent ones they came from, torn
 *  files lose their tail, claimed documents are queued again. Running it twice has the same effect as once. */
import { message } from '../../contract/words/message.ts'
import { join } from 'node:path'
import { statesIn } from '../../contract/states/jobStates.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { DiskFault } from '../../world/world.ts'
import { isStored } from '../finish/completion.ts'
import { outputOf } from '../capture/connectors/registry.ts'
import { hasUnstored } from '../capture/records/jobFiles.ts'
import { recoverFiles } from '../capture/records/fileRecovery.ts'
import type { JobRow } from '../model/jobs.sql.ts'
import { ownedFiles } from '../ownership/ownedFiles.ts'
import { runIdOfBody } from '../model/bodyFile.ts'
import { endAllEvents } from '../frontier/prerequisites.ts'
import { retryMsMax } from './clockWatch.ts'
import type { Engine } from './engine.ts'

const restsIn = statesIn('draining', 'waiting')

/** Repairs every job that may need it; called once, at the start of the engine. */
export async function recover(engine: Engine): Promise<void> {
  endAllEvents(engine.store)
  for (const row of engine.sql.all.all({})) {
    if (row.state === 'INACTIVE' && hasNothingToStore(engine, row)) continue
    try {
      await recoverJob(engine, row)
    } catch (error) {
      // An unreadable folder is an error of its job only.
      if (!(error instanceof DiskFault)) throw error
      const why = message('job.folder.unreadable', { job: row.id, problem: diskMessage(error) })
      engine.onProblem({ message: why, code: 'damaged', job: row.id })
    }
  }
}

/** Tells whether a job at rest has nothing to store. This includes a job that waits for its first window. */
function hasNothingToStore(engine: Engine, row: JobRow): boolean {
  const { id, endedMs, isDescribed, errorText, failureText } = row
  if (isDescribed === 0) return false
  if (endedMs === null) return true
  // The end was not completed. The archive may have stored every file since, but the folder of the job is not cleaned up yet.
  if (errorText !== failureText) return false
  if (isStored(engine, id)) return true
  return !outputOf(engine.ranWith(id)).keeps && !hasUnstored(engine.store, id)
}

async function recoverJob(engine: Engine, { id: job, state }: JobRow): Promise<void> {
  const { sql, queue, world } = engine
  // Steps that need no disk come first: a job whose folder cannot be read now still continues and skips no document.
  queue.releaseClaimed.run({ job })
  const nowMs = world.clock.now()
  sql.retrySooner.run({ job, nowMs, untilMs: nowMs + retryMsMax })
  let wasInterrupted = false
  // Each dimension of the state is interrupted in turn.
  while (engine.move(job, 'interrupted') !== undefined) wasInterrupted = true
  // Documents of a job that is not worked on hold no positions in the queue: a kill may have come before all were removed.
  if (restsIn.includes(engine.rowOf(job).state)) engine.turns.displaceLater(job)
  await world.disk.makeFolder(engine.folderOf(job))
  const found = await recoverFiles(engine.fileSetting(job))
  await dropSpools(engine, job)
  if (wasInterrupted || state === 'ACTIVE') {
    engine.log(job, 'warning', message('jobLog.interrupted'))
  }
  for (const line of found) engine.log(job, 'warning', line)
  if (state === 'INACTIVE') engine.move(job, 'storeAgain')
}

async function dropSpools({ store, world, folderOf }: Engine, job: number): Promise<void> {
  const owned = ownedFiles(store, job)
  for (const { name } of await world.disk.list(folderOf(job))) {
    if (runIdOfBody(name) !== undefined && owned.kindOf(name) === 'working')
      await world.disk.remove(join(folderOf(job), name))
  }
}
