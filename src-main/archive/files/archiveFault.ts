/** Errors of the archive: the contract's `Fault`, limited to the codes that the archive uses. */
import { Fault, type FieldPath } from '../../contract/calls/faults.ts'
import type { Message } from '../../contract/words/message.ts'
import type { DiskFaultCode } from '../../world/world.ts'

export type ArchiveFaultCode = 'notFound' | 'refused' | 'noSpace' | 'unreachable'

/** A fault with one of the archive's codes; the message is for the user. */
export class ArchiveFault extends Fault {
  declare readonly code: ArchiveFaultCode
  constructor(
    code: ArchiveFaultCode,
    said: Message | string,
    options?: { cause?: unknown; fields?: readonly FieldPath[] },
  ) {
    super(code, said, options)
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
