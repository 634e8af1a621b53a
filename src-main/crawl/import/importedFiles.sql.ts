/** The table of imported files: rows in the order of the import, their states and progress. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import { importedFileStates, type ImportedFileState } from '../../contract/states/importedFileStates.ts'
import type { Store } from '../../storage/storage.ts'

/** One file of an import. */
export interface ImportedFileRow {
  id: number
  job: number
  /** The file on the disk. */
  path: string
  /** Place in the package, with `!` before each nested package; '' for the file itself. */
  entry: string
  /** A stored message: the format. */
  kind: string
  /** Of the original bytes, hex; null until they have been read. */
  sha256: string | null
  /** Name in the archive, reserved before the file has it. */
  name: string | null
  treatment: FileTreatment | null
  state: ImportedFileState
  bytesTotal: number
  bytesDone: number
  records: number
  captures: number
  errors: number
  warnings: number
  notes: number
  /** A stored message: why the file was rejected, how it was changed, or which archived file is identical. */
  message: string | null
  /** Fault code of a rejected file. */
  code: FaultCode | null
  /** In state ARCHIVED, the name of the identical file in the archive, and the job that has it now. */
  archivedAs: string | null
  archivedJob: number | null
}

/** How the bytes of a file were treated on import. */
export type FileTreatment = 'kept' | 'recompressed' | 'converted'

const columns = `id, job_id AS job, path, entry, kind, sha256, name, treatment, state, bytes_total AS bytesTotal, bytes_done AS bytesDone,
  records, captures, errors, warnings, notes, message, code, archived_as AS archivedAs,
  COALESCE((SELECT archive_file.job_id FROM archive_file WHERE archive_file.name = imported_file.archived_as),
           (SELECT other.job_id FROM imported_file AS other WHERE other.name = imported_file.archived_as)) AS archivedJob`

/** Prepares the statements. */
export function importedFileStatements(store: Store) {
  return {
    /** Adds a file. One that is already listed stays unchanged, since an interrupted listing is repeated from the start. */
    add: store.statement<{ job: number; path: string; entry: string; kind: string; bytes: number }, { id: number }>(
      `INSERT INTO imported_file (job_id, path, entry, kind, state, bytes_total)
       VALUES (@job, @path, @entry, @kind, '${importedFileStates.initial}', @bytes)
       ON CONFLICT (job_id, path, entry) DO NOTHING RETURNING id`,
    ),
    one: store.statement<{ id: number }, ImportedFileRow>(`SELECT ${columns} FROM imported_file WHERE id = @id`),
    ofJob: store.statement<{ job: number }, ImportedFileRow>(
      `SELECT ${columns} FROM imported_file WHERE job_id = @job ORDER BY id`,
    ),
    /** At most `limit` files of a state, in the order of the import; -1: all. Uses imported_file_by_state. */
    inState: store.statement<{ job: number; state: ImportedFileState; limit: number }, ImportedFileRow>(
      `SELECT ${columns} FROM imported_file WHERE job_id = @job AND state = @state ORDER BY id LIMIT @limit`,
    ),
    setProgress: store.statement<{ id: number; bytes: number }>(
      `UPDATE imported_file SET bytes_done = @bytes WHERE id = @id`,
    ),
    /** Uses the key of the source. */
    ofPlace: store.statement<{ job: number; path: string; entry: string }, { id: number }>(
      `SELECT id FROM imported_file WHERE job_id = @job AND path = @path AND entry = @entry`,
    ),
    /** Counts the archive files that the job has added; a package itself does not count, the files in it do. */
    countImported: store.statement<{ job: number }, { count: number }>(
      `SELECT count(*) AS count FROM imported_file WHERE job_id = @job AND state = 'IMPORTED' AND name IS NOT NULL`,
    ),
  }
}
