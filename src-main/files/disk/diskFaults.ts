/** Fault codes of the contract for disk errors. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { DiskFaultCode } from '../../world/world.ts'

export const faultCodeOfDisk: Record<DiskFaultCode, FaultCode> = {
  absent: 'notFound',
  exists: 'refused',
  denied: 'notAllowed',
  full: 'noSpace',
  tooLarge: 'refused',
  failed: 'damaged',
}
