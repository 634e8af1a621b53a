/** Whether the disk of the jobs has room for captures. */
import { bytesMessage } from '../../contract/text/quantities.ts'
import { message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import { blockerOf, type Blocker } from './blocker.ts'

/** Where jobs write, and the bytes that must stay free there. */
export interface SpaceSetting {
  world: Pick<World, 'disk'>
  folder: string
  settings: { freeBytesMin: number }
}

/** Checks the free space. Returns undefined if there is enough, else what the user has to do. A disk that does not report its
 *  free space must not be written to. */
export async function lackOfSpace({ world, folder, settings }: SpaceSetting): Promise<Blocker | undefined> {
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
