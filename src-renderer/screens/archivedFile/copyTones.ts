/** The look of one copy of a file, and whether it needs a repair. */
import type { ArchivedFile, CopyObservation } from '../../../src-main/contract/services/archivedFiles.ts'
import { isFailedCopy, isStoredCopy } from '../../../src-main/contract/states/copyStates.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'

/** A copy that was only seen to be present is not known to be good. */
export const observationTones: Record<CopyObservation['seen'], Tone> = {
  stored: 'done',
  right: 'done',
  present: 'idle',
  missing: 'failed',
  wrongLength: 'failed',
  wrongChecksum: 'failed',
  unreadable: 'failed',
}

/** Undefined when nothing needs a repair, or the copy is still being stored. */
export function whatToRepair(
  copy: ArchivedFile['replicas'][number] | undefined,
): 'notStored' | 'missing' | 'corrupt' | undefined {
  if (!copy || isFailedCopy(copy)) return 'notStored'
  if (!isStoredCopy(copy)) return undefined
  if (copy.preservation === 'MISSING') return 'missing'
  return copy.preservation === 'CORRUPT' ? 'corrupt' : undefined
}
