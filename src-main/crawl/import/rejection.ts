/** Why a file of an import is not imported. */
import { faultCodeOf } from '../../archive/files/archiveFault.ts'
import { Fault, userMessageOf, type FaultCode } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { DiskFault } from '../../world/world.ts'

/** A file that is not imported. Worker threads return it, too. */
export interface Rejection {
  kind: 'rejected'
  /** The reason, in complete sentences. */
  reason: Message
  code: FaultCode
}

/** Makes a rejection. Without a code, it is that of a file that can never be imported. */
export function rejection(reason: Message, code: FaultCode = 'refused'): Rejection {
  return { kind: 'rejected', reason, code }
}

/** Converts an error that concerns a single file: a fault keeps its code and message, and anything else is a bug of Loupe. */
export function rejectionBy(error: unknown): Rejection {
  if (error instanceof DiskFault) return rejection(diskMessage(error), faultCodeOf[error.code])
  if (error instanceof Fault) return rejection(userMessageOf(error), error.code)
  return rejection(message('import.rejected.bug', { problem: messageOf(error) }), 'internal')
}
