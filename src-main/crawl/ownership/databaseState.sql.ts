/** SQL statements for the single row that records which archive a database belongs to and its sequence number. */
import type { Store } from '../../storage/storage.ts'

/** Identity of the archive, and the number of changes of the database. */
export interface DatabaseState {
  archiveId: string
  sequence: number
}

/** Prepares the statements. */
export function databaseStateStatements(store: Store) {
  return {
    state: store.statement<object, DatabaseState>(
      `SELECT archive_id AS archiveId, sequence FROM database_state WHERE id = 1`,
    ),
    /** Adopts the id of the archive in a database that was created again in its folder; no effect once it has jobs or files. */
    setArchiveId: store.statement<{ archiveId: string }>(
      `UPDATE database_state SET archive_id = @archiveId
       WHERE id = 1 AND NOT EXISTS (SELECT 1 FROM job) AND NOT EXISTS (SELECT 1 FROM archive_file)`,
    ),
    raiseSequence: store.statement<{ sequence: number }>(
      `UPDATE database_state SET sequence = MAX(sequence, @sequence) WHERE id = 1`,
    ),
    raiseJobNumber: store.statement<{ numberMin: number }>(
      `UPDATE database_state SET job_number_min = MAX(job_number_min, @numberMin) WHERE id = 1`,
    ),
    /** The current run of every job, which another history of the archive may have continued under the same run id. A run whose
     *  metadata file is in the catalogue has ended, and the file contains its id. */
    runsToRenew: store.statement<object, { id: number; run: number }>(
      `SELECT id, run FROM job WHERE NOT EXISTS (
         SELECT 1 FROM run_metadata JOIN archive_file ON archive_file.name = run_metadata.name AND archive_file.job_id = job.id
         WHERE run_metadata.job_id = job.id AND run_metadata.run = job.run)
       ORDER BY id`,
    ),
    renewRun: store.statement<{ job: number; runId: string }>(`UPDATE job SET run_id = @runId WHERE id = @job`),
    renewMetadata: store.statement<{ job: number; run: number; runId: string }>(
      `UPDATE run_metadata SET run_id = @runId WHERE job_id = @job AND run = @run`,
    ),
  }
}

/** Reads the state of the database. */
export function databaseState(store: Store): DatabaseState {
  const state = databaseStateStatements(store).state.get({})
  if (!state) throw new Error('the database has no state')
  return state
}
