/** The cleanup loop: before a run ends, documents that it did not find again, or that their server reported as gone, are
 *  removed from the list of the job or kept unchanged. The archive is not changed. */
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { followAll } from '../settle/hops/following.ts'
import { removedCountMax } from '../model/limits.ts'
import { leave } from '../settle/leaving.ts'
import { notFoundResult, removalFrom, type Removal } from '../settle/removal.ts'
import type { RemovalReason } from '../model/recheckResults.ts'
import type { Engine, Loop } from './engine.ts'

export function cleanupLoop(engine: Engine): Loop {
  const removal = removalFrom(engine.store)
  return {
    name: 'cleanup',
    pass(running) {
      for (const { id, state } of running) if (state === 'SHUTTINGDOWN') clean(engine, removal, id)
    },
  }
}

/** Processes one batch of a long list in each round, so that other loops have their turn. */
function clean(engine: Engine, removal: Removal, job: number): void {
  const { gone } = engine.definitionOf(job).recheck ?? recheckOnce
  const isWhole = engine.rowOf(job).stopReason === 'DOWNLOAD_COMPLETE'
  const count =
    notFoundResult(gone, isWhole) === 'kept' ? removal.keepNotFound(job) : removeSome(engine, removal, job, 'notFound')
  const goneCount = gone === 'keep' ? 0 : removeSome(engine, removal, job, 'answered')
  if (count >= removedCountMax || goneCount >= removedCountMax) engine.alarm.ring()
}

/** Removes documents. They are taken in one transaction and removed in the next: a kill between the two puts them back. */
function removeSome(
  engine: Engine,
  removal: Removal,
  job: number,
  why: RemovalReason & ('notFound' | 'answered'),
): number {
  const nowMs = engine.world.clock.now()
  const taken = removal.takeToClean(job, why, nowMs)
  if (taken.length === 0) return 0
  const setting = { store: engine.store, job, definition: engine.definitionOf(job) }
  const isFollowed = engine.store.transaction(() => leave(setting, taken, why, nowMs))
  if (!isFollowed) followAll(setting, nowMs)
  return taken.length
}
