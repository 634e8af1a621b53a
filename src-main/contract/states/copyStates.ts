/** What the states of a copy (`uploadStates`, `preservationStates`) mean for readers of its bytes: decided here, nowhere else. */
import { preservationStates, type PreservationState, type UploadState } from './states.ts'

/** A copy that is not what was stored, by its last look: what of it is read is not to be believed. */
export function isBadState(preservation: PreservationState): boolean {
  return preservationStates.rows[preservation].tone === 'failed'
}

interface StatesOfCopy {
  upload: UploadState
  preservation: PreservationState
}

/** It was brought there whole, and no look has found anything else since. */
export function isGoodCopy({ upload, preservation }: StatesOfCopy): boolean {
  return upload === 'UPLOAD_COMPLETED' && !isBadState(preservation)
}

/** It was brought there whole, and is gone or damaged. */
export function isBadCopy({ upload, preservation }: StatesOfCopy): boolean {
  return upload === 'UPLOAD_COMPLETED' && isBadState(preservation)
}
