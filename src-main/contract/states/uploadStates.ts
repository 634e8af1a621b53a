/** States of storing one file in one replica, with the names of NetarchiveSuite's archive repository. A copy that was never tried has no
 *  row. */
import { stateTable, type StateRow } from './stateTable.ts'

/**
 * What the state says about the copy. `unknown`: an upload has begun, and a checksum will tell how it ended. `stored`: the whole file was
 * copied and read back. `failed`: the file is not stored, and a retry begins again.
 */
export type UploadOutcome = 'unknown' | 'stored' | 'failed'

const rows = {
  UPLOAD_STARTED: {
    outcome: 'unknown',
    tone: 'running',
    on: {
      copied: { to: 'DATA_UPLOADED', owner: 'upload' },
      occupied: { to: 'UNKNOWN_UPLOAD_STATE', owner: 'upload' },
      refused: { to: 'UPLOAD_FAILED', owner: 'upload' },
      // Checked before anything is copied a second time.
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
  DATA_UPLOADED: {
    outcome: 'unknown',
    tone: 'running',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
  UPLOAD_COMPLETED: {
    outcome: 'stored',
    tone: 'done',
    // Later changes are in the preservation states: a stored copy never becomes one that was not stored.
    on: {},
  },
  UPLOAD_FAILED: {
    outcome: 'failed',
    tone: 'failed',
    on: { retried: { to: 'UPLOAD_STARTED', owner: 'upload' } },
  },
  UNKNOWN_UPLOAD_STATE: {
    outcome: 'unknown',
    tone: 'attention',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
} as const satisfies Record<string, StateRow & { outcome: UploadOutcome }>

export const uploadStates = stateTable('uploadStates', 'UPLOAD_STARTED', rows)
export type UploadState = (typeof uploadStates.states)[number]

export function uploadOutcome(state: UploadState): UploadOutcome {
  return rows[state].outcome
}
