/** SQL statements for the files that the database knows in the folder of a job. */
import type { Store } from '../../storage/storage.ts'

/** The metadata file of a run. */
export interface RunFile {
  name: string
  runId: string
}

/** A WARC file that a job wrote. */
export interface KnownFile {
  id: number
  name: string
  state: 'OPEN' | 'CLOSED' | 'STORED'
  committedBytes: number
}

/** Prepares the statements. */
export function ownershipStatements(store: Store) {
  return {
    contents: store.statement<{ job: number }, KnownFile>(
      `SELECT id, name, state, committed_bytes AS committedBytes FROM harvest_file WHERE job_id = @job ORDER BY serial`,
    ),
    jobsWithUnstored: store.statement<object, { job: number }>(
      `SELECT DISTINCT job_id AS job FROM harvest_file WHERE state <> 'STORED' ORDER BY job_id`,
    ),
    metadata: store.statement<{ job: number }, RunFile>(
      `SELECT name, run_id AS runId FROM run_metadata WHERE job_id = @job ORDER BY run`,
    ),
    /** Metadata files that are in the catalogue, which knows their checksums. */
    registeredMetadata: store.statement<{ job: number }, RunFile>(
      `SELECT run_metadata.name, run_metadata.run_id AS runId
       FROM run_metadata JOIN archive_file ON archive_file.name = run_metadata.name AND archive_file.job_id = run_metadata.job_id
       WHERE run_metadata.job_id = @job ORDER BY run`,
    ),
    runIds: store.statement<{ job: number }, { runId: string }>(
      `SELECT run_id AS runId FROM job WHERE id = @job UNION SELECT run_id FROM run_metadata WHERE job_id = @job`,
    ),
    /** Records that the file has `bytes` bytes and was closed. */
    close: store.statement<{ id: number; bytes: number }>(
      `UPDATE harvest_file SET committed_bytes = @bytes, state = CASE state WHEN 'OPEN' THEN 'CLOSED' ELSE state END WHERE id = @id`,
    ),
  }
}
