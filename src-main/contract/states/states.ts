/**
 * The state machines of Loupe. Jobs and documents (in separate files) have the names of ManifoldCF's states, uploads those of
 * NetarchiveSuite's archive repository. New states are added only as rows of these tables.
 */
import { stateTable } from './stateTable.ts'

export { jobStates } from './jobStates.ts'
export { documentStates } from './documentStates.ts'
export { uploadStates, type UploadState } from './uploadStates.ts'

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
export { missStates } from './missStates.ts'
export { auditedPageStates } from './auditedPageStates.ts'
export { deliveryStates } from './deliveryStates.ts'
export { outputConnectorStates, outputNoticeStates } from './outputStates.ts'
export { importedFileStates, type ImportedFileState } from './importedFileStates.ts'
export { repairStates } from './repairStates.ts'
export { taskStates } from './taskStates.ts'
export type PreservationState = (typeof preservationStates.states)[number]
