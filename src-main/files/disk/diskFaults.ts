/** Disk errors as the contract has them: a fault code, and a message. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { DiskFault, DiskFaultCode } from '../../world/world.ts'

/** The fault of the contract for each fault of the disk. */
export const faultCodeOfDisk: Record<DiskFaultCode, FaultCode> = {
  absent: 'notFound',
  exists: 'refused',
  denied: 'notAllowed',
  full: 'noSpace',
  tooLarge: 'refused',
  failed: 'damaged',
}

/** Describes the fault to users in a sentence. */
export function diskMessage({ code, path }: Pick<DiskFault, 'code' | 'path'>): Message {
  return message(diskMessages[code], { path })
}

const diskMessages = {
  absent: 'disk.absent',
  exists: 'disk.exists',
  denied: 'disk.denied',
  full: 'disk.full',
  tooLarge: 'disk.tooLarge',
  failed: 'disk.failed',
} as const satisfies Record<DiskFaultCode, string>
