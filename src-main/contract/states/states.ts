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
    meaning: 'The file is being copied to the replica, or copying was interrupted.',
    badge: 'Copying',
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
    meaning: 'The file was copied to the replica; its checksum is not verified yet.',
    badge: 'Verifying',
    tone: 'running',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
  UPLOAD_COMPLETED: {
    meaning: 'The replica holds the file, and its checksum was verified when it was stored.',
    badge: 'Stored',
    tone: 'done',
    // Later changes are in the preservation states: a stored copy never becomes one that was not stored.
    on: {},
  },
  UPLOAD_FAILED: {
    meaning: 'The file could not be stored in the replica.',
    badge: 'Not stored',
    tone: 'failed',
    on: { retried: { to: 'UPLOAD_STARTED', owner: 'upload' } },
  },
  UNKNOWN_UPLOAD_STATE: {
    meaning:
      'The replica holds a file of this name that the database does not know, for example after an older database was restored. Its checksum is being verified.',
    badge: 'Unknown',
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
    meaning: 'The file was not checked since it was stored.',
    badge: 'Never checked',
    tone: 'idle',
    on: {
      found: { to: 'PRESENT', owner: 'preservation' },
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  PRESENT: {
    meaning: 'The file is present with the right size; its checksum was not verified since it was stored.',
    badge: 'Present',
    tone: 'waiting',
    on: {
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  OK: {
    meaning: 'The checksum matched the catalogue at the last check.',
    badge: 'Verified',
    tone: 'done',
    on: {
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  MISSING: {
    meaning: 'The file is missing from the replica.',
    badge: 'Missing',
    tone: 'failed',
    on: {
      found: { to: 'PRESENT', owner: 'preservation' },
      verified: { to: 'OK', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  CORRUPT: {
    meaning: 'The file in the replica has changed or cannot be read.',
    badge: 'Damaged',
    tone: 'failed',
    on: {
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
    },
  },
})

/** States of a check of copies. */
export const checkStates = stateTable('checkStates', 'RUNNING', {
  RUNNING: {
    meaning: 'Files are being checked.',
    badge: 'Checking',
    tone: 'running',
    on: {
      finished: { to: 'DONE', owner: 'preservation' },
      finishedWithFindings: { to: 'DONE_WITH_FINDINGS', owner: 'preservation' },
      stop: { to: 'STOPPED', owner: 'person' },
      // By the end of Loupe, or to make way for a check of the user. An interrupted check that a user started is not resumed by itself: no
      // start of Loupe reads whole disks without a request.
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'preservation' },
    },
  },
  DONE: { meaning: 'All selected files were checked without findings.', badge: 'Done', tone: 'done', on: {} },
  DONE_WITH_FINDINGS: {
    meaning: 'All selected files were checked; problems are listed as findings.',
    badge: 'Done, with findings',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    meaning: 'The check was stopped, or Loupe was closed. It can be resumed.',
    badge: 'Stopped',
    tone: 'attention',
    on: { resume: { to: 'RUNNING', owner: 'person' }, takenUp: { to: 'RUNNING', owner: 'schedule' } },
  },
  FAILED: {
    meaning: 'The check failed; its message gives the reason.',
    badge: 'Failed',
    tone: 'failed',
    on: { resume: { to: 'RUNNING', owner: 'person' }, takenUp: { to: 'RUNNING', owner: 'schedule' } },
  },
})

/** States of a file of an import. */
export const importedFileStates = stateTable('importedFileStates', 'WAITING', {
  WAITING: {
    meaning: 'The file is waiting to be imported.',
    badge: 'Waiting',
    tone: 'waiting',
    on: { taken: { to: 'READING', owner: 'import' }, refused: { to: 'REFUSED', owner: 'import' } },
  },
  READING: {
    meaning: 'The file is being copied and validated.',
    badge: 'Reading',
    tone: 'running',
    on: {
      read: { to: 'TAKEN', owner: 'import' },
      known: { to: 'KNOWN', owner: 'import' },
      refused: { to: 'REFUSED', owner: 'import' },
      interrupted: { to: 'WAITING', owner: 'recovery' },
    },
  },
  TAKEN: {
    meaning: 'The file was imported and is stored in every replica when the import ends.',
    badge: 'Imported',
    tone: 'done',
    on: {},
  },
  KNOWN: {
    meaning: 'The archive already contains an identical file.',
    badge: 'Already archived',
    tone: 'idle',
    on: {},
  },
  REFUSED: {
    meaning: 'The file was not imported; its note gives the reason.',
    badge: 'Rejected',
    tone: 'failed',
    on: {},
  },
})

/** States of an export. */
export const exportStates = stateTable('exportStates', 'WRITING', {
  WRITING: {
    meaning: 'Records are being selected and written.',
    badge: 'Writing',
    tone: 'running',
    on: {
      written: { to: 'VERIFYING', owner: 'export' },
      stop: { to: 'STOPPED', owner: 'person' },
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'export' },
    },
  },
  VERIFYING: {
    meaning: 'The output file is being read again and compared with the archive.',
    badge: 'Verifying',
    tone: 'running',
    on: {
      agreed: { to: 'DONE', owner: 'export' },
      agreedInPart: { to: 'DONE_INCOMPLETE', owner: 'export' },
      stop: { to: 'STOPPED', owner: 'person' },
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'export' },
    },
  },
  DONE: { meaning: 'The output file was written and verified.', badge: 'Done', tone: 'done', on: {} },
  DONE_INCOMPLETE: {
    meaning: 'The output file was written and verified; its notes list what could not be included.',
    badge: 'Done, incomplete',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    meaning: 'The export was stopped, or Loupe was closed. No output file was kept.',
    badge: 'Stopped',
    tone: 'attention',
    on: {},
  },
  FAILED: {
    meaning: 'The output file could not be written; its message gives the reason.',
    badge: 'Failed',
    tone: 'failed',
    on: {},
  },
})

/** States of a run of a batch job. */
export const batchStates = stateTable('batchStates', 'RUNNING', {
  RUNNING: {
    meaning: 'Files are being processed.',
    badge: 'Running',
    tone: 'running',
    on: {
      finished: { to: 'DONE', owner: 'batch' },
      finishedWithFailures: { to: 'DONE_WITH_FAILURES', owner: 'batch' },
      stop: { to: 'STOPPED', owner: 'person' },
      // A run that starts again reads everything again, so it is not resumed.
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'batch' },
    },
  },
  DONE: {
    meaning: 'All selected files were processed.',
    badge: 'Done',
    tone: 'done',
    on: {},
  },
  DONE_WITH_FAILURES: {
    meaning: 'All selected files were processed and some failed; see the errors.',
    badge: 'Done, with failures',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    meaning: 'The run was stopped, or Loupe was closed. The output covers the files processed before.',
    badge: 'Stopped',
    tone: 'attention',
    on: {},
  },
  FAILED: {
    meaning: 'The run failed; its message gives the reason.',
    badge: 'Failed',
    tone: 'failed',
    on: {},
  },
})

export { connectorStates } from './connectorStates.ts'
export type UploadState = (typeof uploadStates.states)[number]
export type PreservationState = (typeof preservationStates.states)[number]
export type CheckState = (typeof checkStates.states)[number]
export type ImportedFileState = (typeof importedFileStates.states)[number]
export type ExportState = (typeof exportStates.states)[number]
export type BatchState = (typeof batchStates.states)[number]
