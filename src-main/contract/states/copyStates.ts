/**
 * Meaning of the states of a copy (`uploadStates`, `preservationStates`) for readers of its bytes. This is the only place that decides it.
 */
import { preservationStates, type PreservationState } from './states.ts'
import { uploadOutcome, uploadStates, type UploadOutcome, type UploadState } from './uploadStates.ts'

/** Whether a copy differed from what was stored when it was last checked: its bytes must not be trusted. */
export function isBadState(preservation: PreservationState): boolean {
  return preservationStates.rows[preservation].tone === 'failed'
}

/** States in which an upload has started and its outcome is not known: a matching checksum completes the copy. */
export const unfinishedUploadStates = uploadStatesOf('unknown')
/** States of copies that were stored completely, whatever later checks have found. */
export const storedUploadStates = uploadStatesOf('stored')
/** States of copies that are not stored and are no longer being stored. */
export const failedUploadStates = uploadStatesOf('failed')
/** States of copies that are not stored, or not yet. */
export const notStoredUploadStates: readonly UploadState[] = [...unfinishedUploadStates, ...failedUploadStates]
/** States of copies that are missing or damaged. */
export const badCopyStates: readonly PreservationState[] = preservationStates.states.filter(isBadState)
/** States of copies that are not known to be bad. */
export const intactCopyStates: readonly PreservationState[] = preservationStates.states.filter(
  (state) => !isBadState(state),
)
/** States of copies that a check has found and that are not bad. */
export const checkedCopyStates: readonly PreservationState[] = intactCopyStates.filter(
  (state) => state !== preservationStates.initial,
)

interface StatesOfCopy {
  upload: UploadState
  preservation: PreservationState
}

/** Whether the copy was stored completely, whatever later checks have found. */
export function isStoredCopy({ upload }: Pick<StatesOfCopy, 'upload'>): boolean {
  return uploadOutcome(upload) === 'stored'
}

/** Whether storing the copy has begun and its outcome is not known. */
export function isUnfinishedCopy({ upload }: Pick<StatesOfCopy, 'upload'>): boolean {
  return uploadOutcome(upload) === 'unknown'
}

/** Whether the copy is not stored and is no longer being stored. */
export function isFailedCopy({ upload }: Pick<StatesOfCopy, 'upload'>): boolean {
  return uploadOutcome(upload) === 'failed'
}

/** Whether the copy was stored completely, and no later check has found a difference. */
export function isGoodCopy({ upload, preservation }: StatesOfCopy): boolean {
  return isStoredCopy({ upload }) && !isBadState(preservation)
}

/** Whether the copy was stored completely, and is missing or damaged. */
export function isBadCopy({ upload, preservation }: StatesOfCopy): boolean {
  return isStoredCopy({ upload }) && isBadState(preservation)
}

function uploadStatesOf(outcome: UploadOutcome): readonly UploadState[] {
  return uploadStates.states.filter((state) => uploadOutcome(state) === outcome)
}
