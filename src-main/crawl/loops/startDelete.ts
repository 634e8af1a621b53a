/** The start delete loop: prepares the documents of a job for removal. */
import { prepareDeletion } from '../settle/scan.ts'
import type { Engine, Loop } from './engine.ts'
import { statesOfWork } from './jobWork.ts'

export function startDeleteLoop(engine: Engine): Loop {
  const { store, world } = engine
  return {
    name: 'startDelete',
    pass(running) {
      for (const { id: job, state } of running) {
        if (state !== 'READYFORDELETE') continue
        engine.jobWork.begin(
          job,
          { loop: 'startDelete', goesOnIn: statesOfWork(state, 'deletionTaken') },
          async (signal) => {
            if (engine.move(job, 'deletionTaken') === undefined) return
            await prepareDeletion({ store, world, job, signal })
            engine.move(job, 'deletionPrepared')
            engine.onChanged(job)
          },
        )
      }
    },
  }
}
