/** Errors of the archive: the contract's `Fault`, limited to the codes that the archive uses. */
import { Fault, userMessageOf, type FieldPath } from '../../contract/calls/faults.ts'
import type { Message } from '../../contract/words/message.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { DiskFault, type DiskFaultCode } from '../../world/world.ts'

export type ArchiveFaultCode = 'notFound' | 'refused' | 'noSpace' | 'unreachable'

/** A fault with one of the archive's codes. */
export class ArchiveFault extends Fault {
  declare readonly code: ArchiveFaultCode
  declare readonly userMessage: Message
  constructor(
    code: ArchiveFaultCode,
    userMessage: Message,
    options?: { cause?: unknown; fields?: readonly FieldPath[] },
  ) {
    super(code, userMessage, options)
    this.name = 'ArchiveFault'
  }
}

/** The archive's fault code for each fault code of the disk. */
export const faultCodeOf: Record<DiskFaultCode, ArchiveFaultCode> = {
  absent: 'notFound',
  exists: 'refused',
  denied: 'refused',
  full: 'noSpace',
  tooLarge: 'refused',
  failed: 'unreachable',
}

/** Whether an error is a fault of the disk or of the archive, and no bug. */
export function isArchiveOrDiskFault(error: unknown): error is ArchiveFault | DiskFault {
  return error instanceof ArchiveFault || error instanceof DiskFault
}

/** What a fault says to users, in complete sentences. */
export function reasonIn(fault: Fault | DiskFault): Message {
  return fault instanceof DiskFault ? diskMessage(fault) : userMessageOf(fault)
}
