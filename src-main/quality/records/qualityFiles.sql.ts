/** SQL statements about quality files that are being written or stored. */
import type { Store } from '../../storage/storage.ts'

/** A row of the table `quality_file`. */
export interface WaitingFile {
  name: string
  job: number
}

/** Prepares the statements. */
export function qualityFileStatements(store: Store) {
  return {
    add: store.statement<WaitingFile>(`INSERT INTO quality_file (name, job_id) VALUES (@name, @job)`),
    list: store.statement<object, WaitingFile>(`SELECT name, job_id AS job FROM quality_file ORDER BY job_id, name`),
    /** Quality files among the files of a job. Uses archive_file_by_job. */
    ofJob: store.statement<{ job: number }, { name: string }>(
      `SELECT name FROM archive_file WHERE job_id = @job AND name LIKE '%quality-%' ORDER BY id`,
    ),
    /** Other files of a job that an import found to have such records. Uses archive_file_by_job. */
    mergedOfJob: store.statement<{ job: number }, { name: string }>(
      `SELECT archive_file.name FROM archive_file JOIN imported_file ON imported_file.name = archive_file.name
       WHERE archive_file.job_id = @job AND has_quality_records = 1 ORDER BY archive_file.id`,
    ),
    remove: store.statement<{ name: string }>(`DELETE FROM quality_file WHERE name = @name`),
  }
}
