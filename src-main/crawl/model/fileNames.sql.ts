/** The statements that say whether a name of a file is taken, wherever the file is: in the catalogue, in a replica, in the folder of a
 *  job, on its way in, or only planned. Names that differ in nothing but capital letters are the same name on many disks. */
import type { Store } from '../../storage/storage.ts'

export function nameStatements(store: Store) {
  return {
    /** Uses the indexes of names of any case. */
    alike: store.statement<{ name: string }, { name: string }>(
      `SELECT name FROM archive_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM imported_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM harvest_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM run_metadata WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM unregistered_file WHERE name = @name COLLATE NOCASE LIMIT 1`,
    ),
    /** The job whose metadata file is, or will be, called so. */
    jobOfMetadata: store.statement<{ name: string }, { job: number }>(
      `SELECT job_id AS job FROM run_metadata WHERE name = @name COLLATE NOCASE LIMIT 1`,
    ),
    /** A file of a job, or one that a job is taking in. */
    fileOfJob: store.statement<{ name: string }, { name: string }>(
      `SELECT name FROM imported_file WHERE name = @name COLLATE NOCASE
       UNION ALL SELECT name FROM harvest_file WHERE name = @name COLLATE NOCASE LIMIT 1`,
    ),
  }
}
