/** The reason why a job cannot continue or its end is incomplete: one sentence and its code, which decides how a command ends. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'

export interface Blocker {
  text: string
  code: FaultCode
}

/** Describes a fault of the disk or the database; undefined for any other error. */
export function blockerOf(error: unknown): Blocker | undefined {
  if (!(error instanceof DiskFault || error instanceof StorageFault)) return undefined
  return { text: error.message, code: error.code === 'full' ? 'noSpace' : 'damaged' }
}

/** Returns the blocker as columns of a job. */
export function errorColumns(blocker: Blocker | undefined): { text: string | null; code: FaultCode | null } {
  return blocker ?? { text: null, code: null }
}
