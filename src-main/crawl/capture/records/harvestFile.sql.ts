/** SQL statements on the WARC files of jobs, and those that take back the captures in a file that lost bytes. */
import { documentStates, resultDocumentStates } from '../../../contract/states/documentStates.ts'
import { moveSql } from '../../../storage/guard.ts'
import { stateIn } from '../../../storage/schema/stateIn.ts'
import type { Store } from '../../../storage/storage.ts'

/** A WARC file of a job. */
export interface FileRow {
  id: number
  job: number
  serial: number
  name: string
  state: 'OPEN' | 'CLOSED' | 'STORED'
  /** Number of bytes that count; any bytes after them are cut off. */
  committedBytes: number
}

/** Prepares the statements on the files of a job. */
export function fileStatements(store: Store) {
  const columns = `id, job_id AS job, serial, name, state, committed_bytes AS committedBytes`
  return {
    add: store.statement<{ job: number; serial: number; name: string }, FileRow>(
      `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes) VALUES (@job, @serial, @name, 'OPEN', 0)
       RETURNING ${columns}`,
    ),
    adopt: store.statement<{ job: number; serial: number; name: string; bytes: number; records: number }>(
      `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes, records)
       VALUES (@job, @serial, @name, 'CLOSED', @bytes, @records)`,
    ),
    nextSerial: store.statement<{ job: number }, { serial: number }>(
      `SELECT COALESCE(MAX(serial), 0) + 1 AS serial FROM harvest_file WHERE job_id = @job`,
    ),
    open: store.statement<{ job: number }, FileRow>(
      `SELECT ${columns} FROM harvest_file WHERE job_id = @job AND state = 'OPEN' ORDER BY serial LIMIT 1`,
    ),
    ofJob: store.statement<{ job: number }, FileRow>(
      `SELECT ${columns} FROM harvest_file WHERE job_id = @job ORDER BY serial`,
    ),
    /** Assigns the closed files that no metadata file describes yet to this one. */
    giveAccount: store.statement<{ job: number; metadataName: string }>(
      `UPDATE harvest_file SET metadata_name = @metadataName WHERE job_id = @job AND state = 'CLOSED' AND metadata_name IS NULL`,
    ),
    ofAccount: store.statement<{ job: number; metadataName: string }, { name: string }>(
      `SELECT name FROM harvest_file WHERE job_id = @job AND metadata_name = @metadataName ORDER BY serial`,
    ),
    forgetAccount: store.statement<{ job: number; metadataName: string }>(
      `UPDATE harvest_file SET metadata_name = NULL WHERE job_id = @job AND metadata_name = @metadataName`,
    ),
    named: store.statement<{ name: string }, { job: number }>(
      `SELECT job_id AS job FROM harvest_file WHERE name = @name`,
    ),
    commit: store.statement<{ id: number; bytes: number; records: number }>(
      `UPDATE harvest_file SET committed_bytes = @bytes, records = records + @records WHERE id = @id`,
    ),
    setDigest: store.statement<{ id: number; sha256: string }>(
      `UPDATE harvest_file SET sha256 = @sha256 WHERE id = @id`,
    ),
    digest: store.statement<{ name: string }, { sha256: string | null }>(
      `SELECT sha256 FROM harvest_file WHERE name = @name`,
    ),
    setState: store.statement<{ id: number; state: string }>(`UPDATE harvest_file SET state = @state WHERE id = @id`),
    drop: store.statement<{ id: number }>(`DELETE FROM harvest_file WHERE id = @id`),
  }
}

/** The statements on files. */
export type FileStatements = ReturnType<typeof fileStatements>

const again = moveSql(documentStates, 'rediscovered')
/** Condition: the document's last answer, or its last answer that differed from the one before, is in this file. */
const isIn = `job_id = @job AND (file_id = @id OR document.id IN (SELECT document_id FROM capture WHERE file_id = @id))`
const resetColumns = `outcome = NULL, reason = NULL, detail = NULL, truncated = NULL, payload_digest = NULL, file_id = NULL, file_offset = NULL,
  comparison = NULL, due_ms = @nowMs, check_action = 'rescan', attempts = 0, priority = NULL, needs_priority = 1`

/** Prepares the statements for a file that is shorter than its committed length: the documents captured in it are fetched again. */
export function lossStatements(store: Store) {
  return {
    /** Queues the documents captured in a file that is shorter than its committed length; returns how many. */
    refetch: store.statement<{ id: number; job: number; nowMs: number }>(
      `UPDATE document SET ${again.set}, ${resetColumns} WHERE ${isIn} AND ${stateIn(resultDocumentStates)}`,
    ),
    /** Makes documents that were waiting for their next fetch due at once, because their capture is lost. */
    refetchSooner: store.statement<{ id: number; job: number; nowMs: number }>(
      `UPDATE document SET ${resetColumns} WHERE ${isIn} AND state = 'PENDINGPURGATORY'`,
    ),
    /** Adds documents that only an earlier run counted to the total of this run. */
    countLeft: store.statement<{ id: number; job: number }>(
      `UPDATE job SET documents_total = documents_total
         + (SELECT COUNT(*) FROM document WHERE ${isIn} AND document.state = 'UNCHANGED' AND outcome IS NULL)
       WHERE id = @job`,
    ),
    /** Deletes the captures in this file, so that a later run does not refer to records that are missing. */
    forgetCaptures: store.statement<{ id: number }>(`DELETE FROM capture WHERE file_id = @id`),
    recount: store.statement<{ job: number }>(
      `UPDATE job SET (documents_fetched, documents_duplicate, bytes) =
         (SELECT COUNT(*), COUNT(*) - COUNT(DISTINCT payload_digest), COALESCE(SUM(bytes), 0) FROM document
          WHERE job_id = @job AND outcome = 'fetched')
       WHERE id = @job`,
    ),
  }
}
