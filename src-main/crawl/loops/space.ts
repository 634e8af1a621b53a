/** The space loop: pauses jobs before the disk is full, so that what they have fetched can still be closed properly. */
import { bytesMessage } from '../../contract/text/quantities.ts'
import { message } from '../../contract/words/message.ts'
import { statesAfter, statesIn } from '../../contract/states/jobStates.ts'
import { errorColumns, blockerOf, type Blocker } from '../model/blocker.ts'
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

/** Checks the free space. Returns undefined if there is enough, else what the user has to do. A disk that does not report its
 *  free space must not be written to. */
export async function lackOfSpace({ world, folder, settings }: Engine): Promise<Blocker | undefined> {
  try {
    const freeBytes = await world.disk.freeBytes(folder)
    if (freeBytes >= settings.freeBytesMin) return undefined
    const amounts = { free: bytesMessage(freeBytes), kept: bytesMessage(settings.freeBytesMin) }
    return { message: message('job.diskFull', amounts), code: 'noSpace' }
  } catch (error) {
    const blocker = blockerOf(error)
    if (!blocker) throw error
    return { ...blocker, message: message('job.blocked', { problem: blocker.message }) }
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
