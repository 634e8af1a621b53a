/** The reason why a job cannot continue or its end is incomplete: complete sentences, and the code that decides how a command ends. */
import { storedMessage, type Message } from '../../contract/words/message.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import { diskMessage, faultCodeOfDisk } from '../../files/disk/diskFaults.ts'
import { faultCodeOfStorage, StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'

/** A reason that users can act on. */
export interface Blocker {
  message: Message
  code: FaultCode
}

/** Describes a fault of the disk or the database; undefined for any other error. */
export function blockerOf(error: unknown): Blocker | undefined {
  if (error instanceof DiskFault) return { message: diskMessage(error), code: faultCodeOfDisk[error.code] }
  if (error instanceof StorageFault) return { message: error.userMessage, code: faultCodeOfStorage[error.code] }
  return undefined
}

/** Returns the blocker as columns of a job. */
export function errorColumns(blocker: Blocker | undefined): { text: string | null; code: FaultCode | null } {
  return { text: blocker ? storedMessage(blocker.message) : null, code: blocker?.code ?? null }
}
