/** SQL statements that restore the rows of a job from its metadata files. Rows that exist are kept, so an interrupted recovery
 *  can be repeated. */
import type { Store } from '../../storage/storage.ts'
import type { DocumentLine, RemovedLine } from '../finish/jobRecord.ts'
import type { JobRecordRow } from '../finish/jobRecord.sql.ts'
import type { ImportedFileRow } from '../import/importedFiles.sql.ts'

/** A document to restore. `key` and `viaKey` are the keys of its URL and of the document that led to it. */
export type NewDocumentRow = Omit<DocumentLine, 'capture' | 'via'> & {
  job: number
  key: Uint8Array
  viaKey: Uint8Array | null
  host: number
  state: 'COMPLETE' | 'UNCHANGED'
  nowMs: number
}

/** A capture to restore. */
export type NewCaptureRow = Omit<Capture, 'elsewhere'> & { job: number; key: Uint8Array }

/** The original of the last revisit of a document, in another job. */
export type NewElsewhereRow = NonNullable<Capture['elsewhere']> & { ms: number; job: number; key: Uint8Array }

type Capture = NonNullable<DocumentLine['capture']>

/** Prepares the statements that find the number of a job to restore. */
export function jobNumberStatements(store: Store) {
  return {
    jobNow: store.statement<{ job: number }, { createdMs: number; runId: string; endedMs: number | null }>(
      `SELECT created_ms AS createdMs, run_id AS runId, ended_ms AS endedMs FROM job WHERE id = @job`,
    ),
    jobOfRun: store.statement<{ runId: string }, { job: number }>(
      `SELECT id AS job FROM job WHERE run_id = @runId UNION SELECT job_id FROM run_metadata WHERE run_id = @runId LIMIT 1`,
    ),
    jobsCreated: store.statement<{ createdMs: number }, { id: number }>(
      `SELECT id FROM job WHERE created_ms = @createdMs ORDER BY id`,
    ),
    isDeleted: store.statement<{ job: number }, { id: number }>(`SELECT id FROM deleted_job WHERE id = @job`),
    nextJob: store.statement<object, { id: number }>(
      `SELECT MAX(1 + COALESCE((SELECT MAX(id) FROM job), 0), 1 + COALESCE((SELECT MAX(id) FROM deleted_job), 0),
                  (SELECT job_number_min FROM database_state)) AS id`,
    ),
  }
}

/** Prepares the statements that restore a job and the files of its runs. */
export function restoreJobStatements(store: Store) {
  return {
    /** Keeps the harvest's original number if it is free. */
    addHarvest: store.statement<
      {
        harvest: number
        definitionId: number | null
        name: string
        kind: string
        definition: string
        createdMs: number
      },
      { id: number }
    >(
      `INSERT INTO harvest (id, name, kind, definition, definition_id, created_ms)
       VALUES (CASE WHEN EXISTS (SELECT 1 FROM harvest WHERE id = @harvest) THEN NULL ELSE @harvest END,
               @name, @kind, @definition, @definitionId, @createdMs) RETURNING id`,
    ),
    /** Adds a job in the initial state, which is also the state of a job that has ended. */
    addJob: store.statement<
      Omit<JobRecordRow, 'kind' | 'name' | 'truncated' | 'definitionId'> & { job: number; state: string }
    >(
      `INSERT INTO job (id, harvest_id, state, stop_reason, created_ms, started_ms, running_ms, documents_total,
                        documents_fetched, documents_failed, documents_excluded, documents_duplicate, bytes, run, run_id,
                        priority, schedule, failure_text, error_text)
       VALUES (@job, @harvest, @state, @stopReason, @createdMs, @startedMs, @runningMs, @total,
               @fetched, @failed, @excluded, @duplicate, @bytes, @run, @runId, @priority, @schedule, @failure, @failure)`,
    ),
    addEarlierRun: store.statement<
      Pick<
        JobRecordRow,
        'run' | 'startedMs' | 'runningMs' | 'stopReason' | 'fetched' | 'failed' | 'excluded' | 'truncated' | 'bytes'
      > & {
        job: number
        endedMs: number
      }
    >(
      `INSERT INTO job_run (job_id, run, started_ms, ended_ms, running_ms, stop_reason, fetched, failed, excluded, truncated, bytes)
       SELECT @job, @run, @startedMs, @endedMs, @runningMs, @stopReason, @fetched, @failed, @excluded, @truncated, @bytes
       WHERE @startedMs IS NOT NULL ON CONFLICT DO NOTHING`,
    ),
    beginLog: store.statement<{ job: number }>(
      `UPDATE job SET log_before_id = COALESCE((SELECT MAX(id) FROM job_event WHERE job_id = @job), 0) WHERE id = @job`,
    ),
    addRemoved: store.statement<RemovedLine & { job: number; run: number }>(
      `INSERT INTO removed_document (job_id, run, why, removed_ms, url, via, hop_path, status, media_type, bytes, content_bytes,
                                     truncated, payload_digest, fetched_ms, duration_ms)
       VALUES (@job, @run, @why, @removedMs, @url, @via, @hopPath, @status, @mediaType, @bytes, @contentBytes,
               @truncated, @payloadDigest, @fetchedMs, @durationMs)`,
    ),
    addFile: store.statement<{ job: number; name: string; bytes: number; records: number; metadataName: string }>(
      `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes, records, metadata_name)
       SELECT @job, 1 + COALESCE((SELECT MAX(serial) FROM harvest_file WHERE job_id = @job), 0), @name, 'STORED', @bytes,
              @records, @metadataName
       WHERE TRUE ON CONFLICT (name) DO NOTHING`,
    ),
    addMetadata: store.statement<{ job: number; run: number; name: string; runId: string }>(
      `INSERT INTO run_metadata (job_id, run, name, run_id) VALUES (@job, @run, @name, @runId) ON CONFLICT DO NOTHING`,
    ),
    addImported: store.statement<
      Omit<ImportedFileRow, 'id' | 'entry' | 'bytesTotal' | 'bytesDone' | 'code' | 'archivedJob'> & { bytes: number },
      { id: number }
    >(
      `INSERT INTO imported_file (job_id, path, entry, kind, sha256, name, treatment, state, bytes_total, bytes_done, records, captures,
                                  errors, warnings, notes, message, archived_as)
       VALUES (@job, @path, '', @kind, @sha256, @name, @treatment, @state, @bytes, @bytes, @records, @captures,
               @errors, @warnings, @notes, @message, @archivedAs) ON CONFLICT DO NOTHING RETURNING id`,
    ),
    /** Marks the job as ended: the database and the archive hold all of it. */
    end: store.statement<{ job: number; endedMs: number }>(
      `UPDATE job SET ended_ms = @endedMs, last_assessed_ms = @endedMs WHERE id = @job AND ended_ms IS NULL`,
    ),
  }
}

/** Prepares the statements that restore documents with their captures. */
export function restoreDocumentStatements(store: Store) {
  return {
    addDocument: store.statement<NewDocumentRow, { via: number | null }>(
      `INSERT INTO document (job_id, url_key, url, host_id, state, outcome, reason, detail, role, hop_path, hops, via_id, due_ms,
                             attempts, status, media_type, bytes, content_bytes, truncated, payload_digest, fetched_ms, duration_ms, file_id,
                             file_offset, seed_mark, comparison, listed_version, captured_version)
       VALUES (@job, @key, @url, @host, @state, @outcome, @reason, @detail, @role, @hopPath, @hops,
               (SELECT id FROM document WHERE job_id = @job AND url_key = @viaKey), @nowMs,
               @attempts, @status, @mediaType, @bytes, @contentBytes, @truncated, @payloadDigest, @fetchedMs, @durationMs,
               (SELECT id FROM harvest_file WHERE name = @file), @offset, @seedMark, @comparison, @listedVersion, @capturedVersion)
       ON CONFLICT (job_id, url_key) DO NOTHING RETURNING via_id AS via`,
    ),
    setVia: store.statement<{ job: number; key: Uint8Array; viaKey: Uint8Array }>(
      `UPDATE document SET via_id = (SELECT id FROM document WHERE job_id = @job AND url_key = @viaKey)
       WHERE job_id = @job AND url_key = @key`,
    ),
    addCapture: store.statement<NewCaptureRow>(
      `INSERT INTO capture (document_id, record_id, captured_ms, status, payload_digest, named_digest, media_type, content_bytes, etag,
                            last_modified, file_id, file_offset, first_ms, checked_ms, change_count)
       SELECT document.id, @id, @ms, @status, @payloadDigest, @namedDigest, document.media_type, document.content_bytes, @etag, @lastModified, harvest_file.id, @offset,
              @firstMs, @checkedMs, @changes
       FROM document CROSS JOIN harvest_file
       WHERE document.job_id = @job AND url_key = @key AND harvest_file.name = @file ON CONFLICT DO NOTHING`,
    ),
    addElsewhere: store.statement<NewElsewhereRow>(
      `INSERT INTO original_elsewhere (document_id, revisit, url, captured_ms, file_name, file_offset)
       SELECT id, @revisit, @url, @ms, @file, @offset FROM document WHERE job_id = @job AND url_key = @key ON CONFLICT DO NOTHING`,
    ),
  }
}
