/**
 * Meaning of the states of a copy (`uploadStates`, `preservationStates`) for readers of its bytes. This is the only place that decides it.
 */
import { preservationStates, type PreservationState, type UploadState } from './states.ts'

/** Whether a copy differed from what was stored when it was last checked: its bytes must not be trusted. */
export function isBadState(preservation: PreservationState): boolean {
  return preservationStates.rows[preservation].tone === 'failed'
}

interface StatesOfCopy {
  upload: UploadState
  preservation: PreservationState
}

/** Whether the copy was stored completely, and no later check has found a difference. */
export function isGoodCopy({ upload, preservation }: StatesOfCopy): boolean {
  return upload === 'UPLOAD_COMPLETED' && !isBadState(preservation)
}

/** Whether the copy was stored completely, and is missing or damaged. */
export function isBadCopy({ upload, preservation }: StatesOfCopy): boolean {
  return upload === 'UPLOAD_COMPLETED' && isBadState(preservation)
}
