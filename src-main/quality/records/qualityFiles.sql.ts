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
    remove: store.statement<{ name: string }>(`DELETE FROM quality_file WHERE name = @name`),
  }
}
