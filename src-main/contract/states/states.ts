/**
 * The state machines of Loupe. Jobs and documents (in separate files) have the names of ManifoldCF's states, uploads those of
 * NetarchiveSuite's archive repository. New states are added only as rows of these tables.
 */
import { stateTable } from './stateTable.ts'

export { jobStates } from './jobStates.ts'
export { documentStates } from './documentStates.ts'

/** Progress of storing one file in one replica. A copy that was never tried has no row. */
export const uploadStates = stateTable('uploadStates', 'UPLOAD_STARTED', {
  UPLOAD_STARTED: {
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
    tone: 'running',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
  UPLOAD_COMPLETED: {
    tone: 'done',
    // Later changes are in the preservation states: a stored copy never becomes one that was not stored.
    on: {},
  },
  UPLOAD_FAILED: {
    tone: 'failed',
    on: { retried: { to: 'UPLOAD_STARTED', owner: 'upload' } },
  },
  UNKNOWN_UPLOAD_STATE: {
    tone: 'attention',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
})

/** Result of the last check of one file in one replica. A copy that was never checked does not count as good. */
export const preservationStates = stateTable('preservationStates', 'UNCHECKED', {
  UNCHECKED: {
    tone: 'idle',
    on: {
      found: { to: 'PRESENT', owner: 'preservation' },
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  PRESENT: {
    tone: 'waiting',
    on: {
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  OK: {
    tone: 'done',
    on: {
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  MISSING: {
    tone: 'failed',
    on: {
      found: { to: 'PRESENT', owner: 'preservation' },
      verified: { to: 'OK', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  CORRUPT: {
    tone: 'failed',
    on: {
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
    },
  },
})

export { connectorStates } from './connectorStates.ts'
export { importedFileStates, type ImportedFileState } from './importedFileStates.ts'
export { taskStates } from './taskStates.ts'
export type UploadState = (typeof uploadStates.states)[number]
export type PreservationState = (typeof preservationStates.states)[number]
