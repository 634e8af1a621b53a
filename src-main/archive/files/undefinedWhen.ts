/** Disk faults that are an answer: nothing is there, or it is unknown. */
import { DiskFault } from '../../world/world.ts'

export function undefinedWhenAbsent(error: unknown): undefined {
  if (!(error instanceof DiskFault) || error.code !== 'absent') throw error
  return undefined
}

export function undefinedOnFault(error: unknown): undefined {
  if (!(error instanceof DiskFault)) throw error
  return undefined
}
