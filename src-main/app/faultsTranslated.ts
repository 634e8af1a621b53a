/** What the floors below report of the world, as the faults that the contract knows. A bug passes through untouched. */
import { Fault, type FaultCode } from '../contract/faults.ts'
import { StorageFault, type StorageFaultCode } from '../storage/storage.ts'
import { DiskFault, type DiskFaultCode } from '../world/world.ts'

export async function faultsTranslated<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof DiskFault) throw new Fault(ofDisk[error.code], sentence(error.message), { cause: error })
    if (error instanceof StorageFault) throw new Fault(ofStorage[error.code], sentence(error.message), { cause: error })
    throw error
  }
}

const ofDisk: Record<DiskFaultCode, FaultCode> = {
  absent: 'notFound',
  exists: 'refused',
  denied: 'notAllowed',
  full: 'noSpace',
  tooLarge: 'refused',
  failed: 'damaged',
}

const ofStorage: Record<StorageFaultCode, FaultCode> = {
  damaged: 'damaged',
  newer: 'damaged',
  denied: 'notAllowed',
  full: 'noSpace',
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
