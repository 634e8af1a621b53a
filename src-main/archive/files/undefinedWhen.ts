/** Handlers that turn disk faults into undefined: there is no such file, or its state is unknown. */
import { DiskFault } from '../../world/world.ts'

/** Returns undefined when the file does not exist; rethrows any other error. */
export function undefinedWhenAbsent(error: unknown): undefined {
  if (!(error instanceof DiskFault) || error.code !== 'absent') throw error
  return undefined
}

/** Returns undefined for any disk fault; rethrows other errors. */
export function undefinedOnFault(error: unknown): undefined {
  if (!(error instanceof DiskFault)) throw error
  return undefined
}
