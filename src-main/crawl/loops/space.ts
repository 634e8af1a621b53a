/** The space loop: jobs pause before the disk is full, so that what they have fetched can still be closed properly. */
import { DiskFault } from '../../world/world.ts'
import { statesIn } from '../../contract/jobStates.ts'
import type { Engine, Loop } from './engine.ts'

/** How often the disk is asked how much is free while jobs run. */
const spaceLookMs = 2_000
const working = statesIn('working')

export function spaceLoop(engine: Engine): Loop {
  return {
    name: 'space',
    everyMs: spaceLookMs,
    async pass(running) {
      const active = running.filter(({ state }) => working.includes(state))
      if (active.length === 0) return
      const lacking = await lackOfSpace(engine)
      if (lacking !== undefined) for (const { id } of active) hinder(engine, id, lacking)
    },
  }
}

/** Undefined when there is room; else what a person has to do. A disk that does not even say is not to be written to. */
export async function lackOfSpace({ world, folder, settings }: Engine): Promise<string | undefined> {
  try {
    const freeBytes = await world.disk.freeBytes(folder)
    if (freeBytes >= settings.freeBytesMin) return undefined
    return `Only ${Math.floor(freeBytes / 1e6)} MB are free where the archive lies, and ${Math.floor(settings.freeBytesMin / 1e6)} MB are kept free. Make room, then resume the job.`
  } catch (error) {
    if (error instanceof DiskFault) return `${error.message}. Mend this, then resume the job.`
    throw error
  }
}

/** Pauses the job with its reason. One that is being paused already: the disk's reason is what the person has to know all
 *  the same. */
export function hinder(engine: Engine, job: number, text: string): void {
  const isTold = engine.store.transaction(() => {
    if (engine.move(job, 'hindered') === undefined && engine.rowOf(job).state !== 'PAUSING') return false
    // Both or neither: a pause without its reason would look like a person's.
    engine.sql.setError.run({ job, text })
    return true
  })
  if (isTold) engine.say(job, 'error', text)
}
