/** The space loop: pauses jobs before the disk is full, so that what they have fetched can still be closed properly. */
import { statesAfter, statesIn } from '../../contract/states/jobStates.ts'
import { errorColumns, type Blocker } from '../model/blocker.ts'
import { lackOfSpace } from '../model/space.ts'
import type { Engine, Loop } from './engine.ts'

/** Interval of the checks of free space while jobs run. */
const spaceLookMs = 2_000
const working = statesIn('working')
const pausing = statesAfter('spaceLow')

export function spaceLoop(engine: Engine): Loop {
  return {
    name: 'space',
    everyMs: spaceLookMs,
    async pass(running) {
      const active = running.filter(({ state }) => working.includes(state))
      if (active.length === 0) return
      const lacking = await lackOfSpace(engine)
      if (lacking !== undefined) for (const { id } of active) block(engine, id, lacking)
    },
  }
}

type BlockEngine = Pick<Engine, 'store' | 'sql' | 'move' | 'rowOf' | 'log'>

/** Pauses the job and records the reason; a job that is already being paused gets the reason too. */
export function block(engine: BlockEngine, job: number, blocker: Blocker): void {
  const isRecorded = engine.store.transaction(() => {
    if (engine.move(job, 'spaceLow') === undefined && !pausing.includes(engine.rowOf(job).state)) return false
    // Both or neither: a pause without a reason would look like one requested by a user.
    engine.sql.setError.run({ job, ...errorColumns(blocker) })
    return true
  })
  if (isRecorded) engine.log(job, 'error', blocker.message)
}
