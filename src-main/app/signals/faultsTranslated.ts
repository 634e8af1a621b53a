/** Translation of environment errors reported by the layers below to the faults of the contract. A bug passes through unchanged. */
import { faultCodeOfDisk } from '../../files/disk/diskFaults.ts'
import { Fault, type FaultCode } from '../../contract/calls/faults.ts'
import { StorageFault, type StorageFaultCode } from '../../storage/storage.ts'
import type { Problem } from './signals.ts'
import { DiskFault } from '../../world/world.ts'
import { reasonIn } from '../../archive/files/archiveFault.ts'
import { sentence } from '../../archive/files/sentence.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

/** Runs `act`. Errors of the disk and the storage become a `Fault`; any other error is passed on unchanged. */
export async function faultsTranslated<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw translated(error)
  }
}

function translated(error: unknown): unknown {
  if (error instanceof DiskFault) return new Fault(faultCodeOfDisk[error.code], reasonIn(error), { cause: error })
  if (error instanceof StorageFault) return new Fault(ofStorage[error.code], error.said, { cause: error })
  return error
}

/** A failure that no caller waits for, as an event. `doing`: the action that failed. */
export function problemOf(error: unknown, of: Problem['of'], doing: string): Problem {
  const known = translated(error)
  const text = sentence(`${doing}: ${messageOf(known)}`)
  return { text, code: known instanceof Fault ? known.code : 'internal', of, job: null }
}

const ofStorage: Record<StorageFaultCode, FaultCode> = {
  damaged: 'damaged',
  newer: 'damaged',
  denied: 'notAllowed',
  full: 'noSpace',
  failed: 'damaged',
}
