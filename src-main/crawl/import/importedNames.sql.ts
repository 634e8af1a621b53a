/** Names of imported files in the archive. A name is reserved before the file has it, so that no other file gets it. */
import type { Store } from '../../storage/storage.ts'
import type { FileTreatment } from './importedFiles.sql.ts'

/** Prepares the statements. */
export function importedNameStatements(store: Store) {
  return {
    /** The import that has reserved the name, or has a file of it. */
    holder: store.statement<{ name: string }, { job: number }>(
      `SELECT job_id AS job FROM imported_file WHERE name = @name`,
    ),
    ofName: store.statement<{ job: number; name: string }, { id: number }>(
      `SELECT id FROM imported_file WHERE name = @name AND job_id = @job`,
    ),
    /** The file that an import made from a file with these bytes. Uses imported_file_by_sha256. */
    ofSha256: store.statement<{ sha256: string }, { name: string; job: number }>(
      `SELECT name, job_id AS job FROM imported_file WHERE sha256 = @sha256 AND name IS NOT NULL LIMIT 1`,
    ),
    /** Reserves the name before the file has it, so that no other file gets it. */
    setName: store.statement<{ id: number; name: string; sha256: string; treatment: FileTreatment }>(
      `UPDATE imported_file SET name = @name, sha256 = @sha256, treatment = @treatment WHERE id = @id`,
    ),
    /** `rename` and `renameFile` change the two rows of a file together. */
    rename: store.statement<{ id: number; name: string }>(`UPDATE imported_file SET name = @name WHERE id = @id`),
    renameFile: store.statement<{ id: number; name: string }>(`UPDATE harvest_file SET name = @name WHERE id = @id`),
    /** Gives the file a new name, because its name is that of an archived file; it is recompressed under the new one. */
    setRecompressedName: store.statement<{ id: number; name: string }>(
      `UPDATE imported_file SET name = @name, treatment = 'recompressed' WHERE id = @id`,
    ),
    setTreatment: store.statement<{ id: number; treatment: FileTreatment }>(
      `UPDATE imported_file SET treatment = @treatment WHERE id = @id`,
    ),
    dropName: store.statement<{ id: number }>(`UPDATE imported_file SET name = NULL WHERE id = @id`),
  }
}
