/** What the archive may answer instead of doing it. It is the contract's `Fault`, narrowed to the codes of this floor. */
import { Fault } from '../contract/faults.ts'
import { DiskFault, type DiskFaultCode } from '../world/world.ts'

export type ArchiveFaultCode = 'notFound' | 'refused' | 'noSpace' | 'unreachable'

export class ArchiveFault extends Fault {
  declare readonly code: ArchiveFaultCode
  constructor(code: ArchiveFaultCode, text: string, options?: { cause?: unknown }) {
    super(code, text, options)
    this.name = 'ArchiveFault'
  }
}

/** The disk's refusal in a form that survives the way out of a thread: an error's class and code would be lost there. */
export interface DiskRefusal {
  kind: 'fault'
  code: DiskFaultCode
  path: string
  text: string
}

/** A bug is thrown on; only what the disk refused becomes a value. */
export function refusalOf(error: unknown): DiskRefusal {
  if (!(error instanceof DiskFault)) throw error
  return { kind: 'fault', code: error.code, path: error.path, text: error.message }
}

export const faultCodeOf: Record<DiskFaultCode, ArchiveFaultCode> = {
  absent: 'notFound',
  exists: 'refused',
  denied: 'refused',
  full: 'noSpace',
  tooLarge: 'refused',
  failed: 'unreachable',
}
