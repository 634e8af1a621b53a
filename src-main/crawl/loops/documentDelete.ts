/** The document delete loop: removes the documents of a job that is being deleted from its list, in batches. The archive is
 *  not changed. */
import { removedCountMax } from '../model/limits.ts'
import { removalFrom } from '../settle/removal.ts'
import type { Engine, Loop } from './engine.ts'

export function documentDeleteLoop(engine: Engine): Loop {
  const removal = removalFrom(engine.store)
  return {
    name: 'documentDelete',
    pass(running) {
      const nowMs = engine.world.clock.now()
      for (const { id, state } of running) {
        // The assessment loop may have moved the job in this round: without its output nothing is removed.
        if (state !== 'DELETING' || engine.rowOf(id).state !== state) continue
        const taken = removal.takeToDelete(id, nowMs)
        if (taken.length > 0) engine.store.transaction(() => removal.remove(taken, null, nowMs))
        if (taken.length >= removedCountMax) engine.alarm.ring()
      }
    },
  }
}
