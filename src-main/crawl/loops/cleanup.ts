/** The cleanup loop: what a run has not found again, or what its server said has gone, leaves the list of the job before the
 *  run ends, or stays as it was. Nothing of the archive is touched. */
import { recheckOnce } from '../../contract/shapes/recrawl.ts'
import { followAll } from '../settle/hops/following.ts'
import { removedCountMax } from '../model/limits.ts'
import { leave } from '../settle/leaving.ts'
import { fateOfNotFound, removalFrom, type Removal } from '../settle/removal.ts'
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

/** One part of a long list in each round, so that everything else has its turn. */
function clean(engine: Engine, removal: Removal, job: number): void {
  const { gone } = engine.definitionOf(job).recheck ?? recheckOnce
  const isWhole = engine.rowOf(job).stopReason === 'DOWNLOAD_COMPLETE'
  const count =
    fateOfNotFound(gone, isWhole) === 'kept' ? removal.keepNotFound(job) : removeSome(engine, removal, job, 'notFound')
  const goneCount = gone === 'keep' ? 0 : removeSome(engine, removal, job, 'answered')
  if (count >= removedCountMax || goneCount >= removedCountMax) engine.alarm.ring()
}

/** Taken in one transaction and removed in the next: a kill between them puts them back. */
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
