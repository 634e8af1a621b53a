/** The state machines of Loupe. Names are those of the seeds' tables: jobs and documents of the pull agent (tables 11.24
 *  and 11.25, in files of their own), uploads of the archive repository. States of later features are added as rows here,
 *  nowhere else. */
import { stateTable } from './stateTable.ts'

export { jobStates } from './jobStates.ts'
export { documentStates } from './documentStates.ts'

/** How far one replica's copy of one file is. A copy that was never tried has no row. */
export const uploadStates = stateTable('uploadStates', 'UPLOAD_STARTED', {
  UPLOAD_STARTED: {
    meaning: 'The file is being copied to the replica, or a kill interrupted that.',
    badge: 'Copying',
    tone: 'running',
    on: {
      copied: { to: 'DATA_UPLOADED', owner: 'upload' },
      occupied: { to: 'UNKNOWN_UPLOAD_STATE', owner: 'upload' },
      refused: { to: 'UPLOAD_FAILED', owner: 'upload' },
      // Asked before anything is copied a second time.
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
  DATA_UPLOADED: {
    meaning: 'The bytes are in the replica and on its disk; their checksum is still to be compared.',
    badge: 'Verifying',
    tone: 'running',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
  UPLOAD_COMPLETED: {
    meaning: 'The replica holds the file and its checksum agreed when it was stored.',
    badge: 'Stored',
    tone: 'done',
    // What becomes of it later is what the preservation states say: a stored copy never counts as one that was not.
    on: {},
  },
  UPLOAD_FAILED: {
    meaning: 'The replica does not hold the file as it should.',
    badge: 'Not stored',
    tone: 'failed',
    on: { retried: { to: 'UPLOAD_STARTED', owner: 'upload' } },
  },
  UNKNOWN_UPLOAD_STATE: {
    meaning:
      'The replica holds something under this name that the database does not know of, as after a database of yesterday was put back; its checksum is being looked at.',
    badge: 'Unknown',
    tone: 'attention',
    on: {
      checksumAgrees: { to: 'UPLOAD_COMPLETED', owner: 'upload' },
      checksumEmpty: { to: 'UPLOAD_STARTED', owner: 'upload' },
      checksumFails: { to: 'UPLOAD_FAILED', owner: 'upload' },
    },
  },
})

/** What the last check said of one file in one replica. Never checked is not "fine". */
export const preservationStates = stateTable('preservationStates', 'UNCHECKED', {
  UNCHECKED: {
    meaning: 'No check has looked at this file since it was stored.',
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
    meaning: 'The file is there with its right length; its checksum has never been compared since it was stored.',
    badge: 'Present',
    tone: 'waiting',
    on: {
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  OK: {
    meaning: 'At its last check the file had the checksum that the catalogue holds.',
    badge: 'Verified',
    tone: 'done',
    on: {
      lost: { to: 'MISSING', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  MISSING: {
    meaning: 'The catalogue says that the replica holds the file, and it is not there.',
    badge: 'Missing',
    tone: 'failed',
    on: {
      found: { to: 'PRESENT', owner: 'preservation' },
      verified: { to: 'OK', owner: 'preservation' },
      changed: { to: 'CORRUPT', owner: 'preservation' },
    },
  },
  CORRUPT: {
    meaning: 'The bytes in the replica are not those that were stored.',
    badge: 'Damaged',
    tone: 'failed',
    on: {
      verified: { to: 'OK', owner: 'preservation' },
      lost: { to: 'MISSING', owner: 'preservation' },
    },
  },
})

export const checkStates = stateTable('checkStates', 'RUNNING', {
  RUNNING: {
    meaning: 'Files are being looked at, one after the other.',
    badge: 'Checking',
    tone: 'running',
    on: {
      finished: { to: 'DONE', owner: 'preservation' },
      finishedWithFindings: { to: 'DONE_WITH_FINDINGS', owner: 'preservation' },
      stop: { to: 'STOPPED', owner: 'person' },
      // By the end of Loupe, or to make way for a person's check. One that a person began is not taken up by itself: no
      // start of Loupe reads whole disks without somebody asking for it.
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'preservation' },
    },
  },
  DONE: { meaning: 'Every chosen file was checked, and nothing is wrong.', badge: 'Done', tone: 'done', on: {} },
  DONE_WITH_FINDINGS: {
    meaning: 'Every chosen file was checked; the findings say what is wrong.',
    badge: 'Done, with findings',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    meaning: 'Stopped by a person, or by the end of Loupe; it goes on at the file where it stopped.',
    badge: 'Stopped',
    tone: 'attention',
    on: { resume: { to: 'RUNNING', owner: 'person' }, takenUp: { to: 'RUNNING', owner: 'schedule' } },
  },
  FAILED: {
    meaning: 'The check itself could not go on; its text says why.',
    badge: 'Failed',
    tone: 'failed',
    on: { resume: { to: 'RUNNING', owner: 'person' }, takenUp: { to: 'RUNNING', owner: 'schedule' } },
  },
})

export const importedFileStates = stateTable('importedFileStates', 'WAITING', {
  WAITING: {
    meaning: 'Its turn has not come.',
    badge: 'Waiting',
    tone: 'waiting',
    on: { taken: { to: 'READING', owner: 'import' }, refused: { to: 'REFUSED', owner: 'import' } },
  },
  READING: {
    meaning: 'It is copied into the job and read through once: records are counted, digests compared, findings noted.',
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
    meaning: 'The job has it, and stores it in every replica with its other files.',
    badge: 'Imported',
    tone: 'done',
    on: {},
  },
  KNOWN: {
    meaning: 'The archive has this very file already, in a job: there was nothing to take in.',
    badge: 'Already archived',
    tone: 'idle',
    on: {},
  },
  REFUSED: {
    meaning: 'It was not taken in; its problem says why.',
    badge: 'Refused',
    tone: 'failed',
    on: {},
  },
})

export const exportStates = stateTable('exportStates', 'WRITING', {
  WRITING: {
    meaning: 'Records are selected and written.',
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
    meaning: 'What was written is read again and compared: the same records, the same digests.',
    badge: 'Comparing',
    tone: 'running',
    on: {
      agreed: { to: 'DONE', owner: 'export' },
      agreedInPart: { to: 'DONE_INCOMPLETE', owner: 'export' },
      stop: { to: 'STOPPED', owner: 'person' },
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'export' },
    },
  },
  DONE: { meaning: 'The file is there, and it was compared.', badge: 'Done', tone: 'done', on: {} },
  DONE_INCOMPLETE: {
    meaning: 'The file is there, and it was compared; its remarks say what of the selection is not in it.',
    badge: 'Done, incomplete',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    meaning: 'Stopped by a person, or by the end of Loupe; nothing of it was left behind.',
    badge: 'Stopped',
    tone: 'attention',
    on: {},
  },
  FAILED: { meaning: 'It could not be written; its problem says why.', badge: 'Failed', tone: 'failed', on: {} },
})

export const batchStates = stateTable('batchStates', 'RUNNING', {
  RUNNING: {
    meaning: 'The module goes over the files.',
    badge: 'Running',
    tone: 'running',
    on: {
      finished: { to: 'DONE', owner: 'batch' },
      finishedWithFailures: { to: 'DONE_WITH_FAILURES', owner: 'batch' },
      stop: { to: 'STOPPED', owner: 'person' },
      // A run that was begun again reads everything again, so it is not gone on with.
      interrupted: { to: 'STOPPED', owner: 'recovery' },
      failed: { to: 'FAILED', owner: 'batch' },
    },
  },
  DONE: {
    meaning: 'The module processed every chosen file.',
    badge: 'Done',
    tone: 'done',
    on: {},
  },
  DONE_WITH_FAILURES: {
    meaning: 'Every chosen file had its turn, and some of them failed; the errors say which and why.',
    badge: 'Done, with failures',
    tone: 'attention',
    on: {},
  },
  STOPPED: {
    meaning: 'Stopped by a person, or by the end of Loupe; its output is of the files before.',
    badge: 'Stopped',
    tone: 'attention',
    on: {},
  },
  FAILED: {
    meaning: 'It ended before its files did, or could not finish; its problem says why.',
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
