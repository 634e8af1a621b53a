/** Statements of the catalogue: registered files and the upload state of each copy. Only `mover` changes states, by the transition
 *  tables of the contract. */
import type { Store } from '../../storage/storage.ts'
import { unfinishedUploadStates } from '../../contract/states/copyStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import { isStored } from './copies.sql.ts'
import { uploadStates, type PreservationState } from '../../contract/states/states.ts'
import { isWhole } from './wholeCheck.sql.ts'

export type UploadState = typeof uploadStates.initial
export type FileKind = 'content' | 'metadata'

export interface FileRow {
  id: number
  name: string
  bytes: number
  sha256: string
  kind: FileKind
  jobId: number | null
  storedMs: number | null
}

export interface CopyRow {
  id: number
  fileId: number
  replica: string
  upload: UploadState
  /** A stored message: why the upload failed. */
  problem: string | null
  preservation: PreservationState
  checkedMs: number | null
  verifiedMs: number | null
}

export interface ReplicaCounts {
  files: number
  bytes: number
  neverChecked: number
  missing: number
  corrupt: number
}

const fileColumns = 'id, name, bytes, sha256, kind, job_id AS jobId, stored_ms AS storedMs'
const copyColumns = `id, file_id AS fileId, replica, upload_state AS upload, upload_problem AS problem,
  preservation_state AS preservation, checked_ms AS checkedMs, verified_ms AS verifiedMs`

export const countFilesSql = `SELECT COUNT(*) AS total FROM archive_file`

/** All statements of the catalogue, grouped below by what they are about. */
export function archiveStatements(store: Store) {
  return { ...fileStatements(store), ...jobStatements(store), ...copyStatements(store), ...replicaStatements(store) }
}

/** Statements of the catalogue: files by name, checksum and kind. */
function fileStatements(store: Store) {
  return {
    file: store.statement<{ name: string }, FileRow>(`SELECT ${fileColumns} FROM archive_file WHERE name = @name`),
    /** Another file whose name differs only in case. Uses archive_file_by_name_of_any_case. */
    alike: store.statement<{ name: string }, { name: string }>(
      `SELECT name FROM archive_file WHERE name = @name COLLATE NOCASE AND name <> @name LIMIT 1`,
    ),
    /** Files with a checksum. Uses archive_file_by_sha256. */
    filesOfSha256: store.statement<{ sha256: string }, FileRow>(
      `SELECT ${fileColumns} FROM archive_file WHERE sha256 = @sha256 ORDER BY id`,
    ),
    /** Files by name; `names` is a JSON list. */
    filesNamed: store.statement<{ names: string }, FileRow>(
      `SELECT ${fileColumns} FROM archive_file WHERE name IN (SELECT value FROM json_each(@names))`,
    ),
    /** A file with this checksum that every replica holds. */
    storedWithChecksum: store.statement<{ sha256: string }, FileRow>(
      `SELECT ${fileColumns} FROM archive_file WHERE sha256 = @sha256 AND stored_ms IS NOT NULL LIMIT 1`,
    ),
    /** Files with a complete copy in at least one replica. Uses the primary key and the unique index of `replica_file`. */
    heldFiles: store.statement<{ after: number; limit: number }, FileRow>(
      `SELECT ${fileColumns} FROM archive_file WHERE id > @after AND EXISTS (
         SELECT 1 FROM replica_file WHERE file_id = archive_file.id AND ${isStored})
       ORDER BY id LIMIT @limit`,
    ),
    countFiles: store.statement<object, { total: number }>(countFilesSql),
    register: store.statement<
      { name: string; bytes: number; sha256: string; kind: FileKind; job: number | null; nowMs: number },
      FileRow
    >(
      `INSERT INTO archive_file (name, bytes, sha256, kind, job_id, registered_ms)
       VALUES (@name, @bytes, @sha256, @kind, @job, @nowMs) RETURNING ${fileColumns}`,
    ),
    /** Marks the file as stored once all `replicas` (a JSON list of names) have completed their copies; changes nothing before. */
    markStored: store.statement<{ file: number; replicas: string; nowMs: number }>(
      `UPDATE archive_file SET stored_ms = @nowMs
       WHERE id = @file AND stored_ms IS NULL AND NOT EXISTS (
         SELECT 1 FROM json_each(@replicas) AS wanted WHERE NOT EXISTS (
           SELECT 1 FROM replica_file
           WHERE file_id = @file AND replica = wanted.value AND ${isStored}))`,
    ),
  }
}

/** Statements of the files of jobs. */
function jobStatements(store: Store) {
  return {
    /** Assigns a file to a job. A metadata file of another job becomes content of the job that imports it, as if it had not been
     *  archived before. */
    setJob: store.statement<{ name: string; job: number }>(
      `UPDATE archive_file SET job_id = @job, kind = 'content' WHERE name = @name`,
    ),
    filesOfJob: store.statement<{ job: number }, FileRow>(
      `SELECT ${fileColumns} FROM archive_file WHERE job_id = @job ORDER BY id`,
    ),
    /** Any file of a job. Uses archive_file_by_job. */
    anyOfJob: store.statement<{ job: number }, { id: number }>(
      `SELECT id FROM archive_file WHERE job_id = @job LIMIT 1`,
    ),
    /** Content files that belong to no job. Uses archive_file_by_job. */
    namesWithoutJob: store.statement<object, { name: string }>(
      `SELECT name FROM archive_file WHERE job_id IS NULL AND kind = 'content' ORDER BY id`,
    ),
    /** Jobs that archived files. Steps from one job number to the next in archive_file_by_job, so the cost depends on the number of
     *  jobs, not of files. */
    jobs: store.statement<object, { job: number }>(
      `WITH RECURSIVE archived (job) AS (
         SELECT MIN(job_id) FROM archive_file
         UNION ALL
         SELECT (SELECT MIN(job_id) FROM archive_file WHERE job_id > archived.job) FROM archived WHERE archived.job IS NOT NULL)
       SELECT job FROM archived WHERE job IS NOT NULL`,
    ),
    /** Number of files and bytes of each job; `jobs` is a JSON list. Uses archive_file_by_job. */
    sumsOfJobs: store.statement<{ jobs: string }, { job: number; files: number; bytes: number }>(
      `SELECT job_id AS job, COUNT(*) AS files, SUM(bytes) AS bytes FROM archive_file
       WHERE job_id IN (SELECT value FROM json_each(@jobs)) GROUP BY job_id ORDER BY job_id`,
    ),
  }
}

/** Statements of the copies in replicas, and of the progress of their uploads. */
function copyStatements(store: Store) {
  return {
    /** Copies of files; `files` is a JSON list of ids, so that a page of the catalogue takes one statement. */
    copiesOf: store.statement<{ files: string }, CopyRow>(
      `SELECT ${copyColumns} FROM replica_file WHERE file_id IN (SELECT value FROM json_each(@files)) ORDER BY file_id, id`,
    ),
    /** Inserts the row of a copy unless the replica already has one for the file. */
    addCopy: store.statement<{ file: number; replica: string }>(
      `INSERT INTO replica_file (file_id, replica, upload_state) VALUES (@file, @replica, '${uploadStates.initial}')
       ON CONFLICT (file_id, replica) DO NOTHING`,
    ),
    /** Inserts the row of a stored copy. Returns no row where the replica already has one for the file, in any state. */
    addStoredCopy: store.statement<{ file: number; replica: string }, { id: number }>(
      `INSERT INTO replica_file (file_id, replica, upload_state) VALUES (@file, @replica, 'UPLOAD_COMPLETED')
       ON CONFLICT (file_id, replica) DO NOTHING RETURNING id`,
    ),
    noteAttempt: store.statement<{ file: number; replica: string }>(
      `UPDATE replica_file SET upload_attempts = upload_attempts + 1 WHERE file_id = @file AND replica = @replica`,
    ),
    noteProblem: store.statement<{ id: number; problem: string | null }>(
      `UPDATE replica_file SET upload_problem = @problem WHERE id = @id`,
    ),
    /** Files with a copy whose upload was interrupted, in one of `replicas` (a JSON list of names). */
    unfinished: store.statement<{ replicas: string }, { name: string }>(
      `SELECT name FROM archive_file WHERE id IN (
         SELECT file_id FROM replica_file
         WHERE ${stateIn(unfinishedUploadStates, 'upload_state')} AND replica IN (SELECT value FROM json_each(@replicas)))
       ORDER BY id`,
    ),
  }
}

/** Statements of a replica as a whole: what it holds, and when it was last checked. */
function replicaStatements(store: Store) {
  return {
    holdsAny: store.statement<{ replica: string }, { id: number }>(
      `SELECT id FROM replica_file WHERE replica = @replica AND ${isStored} LIMIT 1`,
    ),
    holds: store.statement<{ replica: string; name: string }, { id: number }>(
      `SELECT replica_file.id FROM replica_file JOIN archive_file ON archive_file.id = file_id
       WHERE replica = @replica AND name = @name AND ${isStored}`,
    ),
    /** Totals of a replica, which triggers maintain. */
    countCopies: store.statement<{ replica: string }, ReplicaCounts>(
      `SELECT files, bytes, never_checked AS neverChecked, missing, corrupt FROM replica_total WHERE replica = @replica`,
    ),
    /** End of the last check of a replica. Counts only checks that were completed and covered every file. */
    lastCheck: store.statement<{ replica: string; kind: string }, { endedMs: number | null }>(
      `SELECT MAX(ended_ms) AS endedMs FROM task INDEXED BY task_by_kind JOIN preservation_check ON task_id = task.id
       WHERE kind = @kind AND ${isWhole} AND files_pattern IS NULL AND sample IS NULL
         AND @replica IN (SELECT value FROM json_each(replicas))`,
    ),
  }
}

export type ArchiveStatements = ReturnType<typeof archiveStatements>
