/** Leaves the previous run of a job behind: clears the outcomes of its documents and counts those that wait in this one. A startup
 *  begins with it; a run that is stopped before that was finished ends with it, so that no capture of the previous run counts for it. */
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { scanFor } from '../model/scanPlan.ts'
import { excludedIn, prepareScan, waitingIn } from '../settle/scan.ts'
import type { Engine } from './engine.ts'

/** Prepares the documents and sets the counters of the run; returns how many documents wait. It can be repeated: the counters are set
 *  and not added to, because a startup that a kill interrupted has counted seeds. */
export async function leaveEarlierRun(
  engine: Pick<Engine, 'store' | 'sql' | 'world' | 'rowOf' | 'definitionOf'>,
  { job, isMinimal, signal }: { job: number; isMinimal: boolean; signal: AbortSignal },
): Promise<number> {
  const { store, sql, world } = engine
  const { run, seedingVersion } = engine.rowOf(job)
  if (run > 1) {
    const definition = engine.definitionOf(job)
    const scan = scanFor({
      model: repositoryOf(definition).model,
      isMinimal,
      isContinuous: (definition.recheck ?? recheckOnce).type === 'continuous',
      fromBeginning: seedingVersion === null,
    })
    await prepareScan({ store, world, job, signal }, scan)
  }
  const waiting = waitingIn(store, job)
  sql.setTotal.run({ job, waiting, excluded: excludedIn(store, job) })
  return waiting
}
