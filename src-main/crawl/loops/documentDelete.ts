/** The documents of a job that is deleted leave its list, part by part. Nothing of the archive is touched. */
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
        // The assessment may have moved it in this very round: without its output nothing is removed.
        if (state !== 'DELETING' || engine.rowOf(id).state !== state) continue
        const taken = removal.takeToDelete(id, nowMs)
        if (taken.length > 0) engine.store.transaction(() => removal.remove(taken, null, nowMs))
        if (taken.length >= removedCountMax) engine.alarm.ring()
      }
    },
  }
}
