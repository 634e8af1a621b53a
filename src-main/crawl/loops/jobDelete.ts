/** The job delete loop: moves a job on once all its documents have been removed, so that the job itself can be removed. */
import { removalFrom } from '../settle/removal.ts'
import type { Engine, Loop } from './engine.ts'

export function jobDeleteLoop(engine: Engine): Loop {
  const removal = removalFrom(engine.store)
  return {
    name: 'jobDelete',
    pass(running) {
      for (const { id, state } of running) {
        if (state !== 'DELETING' || removal.hasDocuments(id)) continue
        if (engine.move(id, 'emptied') !== undefined) engine.onChanged(id)
      }
    },
  }
}
