/** SQL statements that tell whether a file name is taken, wherever the file is: in the catalogue, in a replica, in the folder
 *  of a job, being imported, or only planned. Names that differ only in case are equal, since they are the same name on many
 *  disks. */
import type { Store } from '../../storage/storage.ts'

/** Prepares the statements about file names. */
export function nameStatements(store: Store) {
  return {
    /** Uses the case-insensitive indexes of names. */
    alike: store.statement<{ name: string }, { name: string }>(
      `SELECT name FROM archive_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM imported_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM harvest_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM run_metadata WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM quality_file WHERE name = @name
       UNION ALL SELECT name FROM unregistered_file WHERE name = @name COLLATE NOCASE LIMIT 1`,
    ),
    /** The job whose metadata or quality file has, or will have, this name. */
    jobOfMetadata: store.statement<{ name: string }, { job: number }>(
      `SELECT job_id AS job FROM run_metadata WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT job_id FROM quality_file WHERE name = @name LIMIT 1`,
    ),
    /** A file of a job, or one that a job is importing. */
    fileOfJob: store.statement<{ name: string }, { name: string }>(
      `SELECT name FROM imported_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM harvest_file WHERE name = @name COLLATE NOCASE LIMIT 1`,
    ),
  }
}
