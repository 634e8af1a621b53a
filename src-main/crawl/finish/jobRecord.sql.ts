/** SQL statements that read a job's rows for its metadata file. `recover/restoreJob.sql.ts` restores them from it. */
import type { Store } from '../../storage/storage.ts'
import type { DocumentLine, JobRecord, RemovedLine } from './jobRecord.ts'

/** The record of a job as one row, without the parts that other rows add. */
export type JobRecordRow = Omit<
  JobRecord,
  'version' | 'archive' | 'job' | 'documents' | 'files' | 'limits' | 'connections' | 'progress'
> &
  JobRecord['documents']

/** A row of the list of documents, with its last capture, if any. */
export type DocumentDumpRow = Omit<DocumentLine, 'capture'> & {
  id: number
  captureId: string | null
  captureMs: number | null
  captureStatus: number | null
  captureDigest: string | null
  namedDigest: string | null
  etag: string | null
  lastModified: string | null
  captureFile: string | null
  captureOffset: number | null
  firstMs: number | null
  checkedMs: number | null
  changes: number | null
  elsewhereRevisit: 'digest' | 'notModified' | null
  elsewhereUrl: string | null
  elsewhereFile: string | null
  elsewhereOffset: number | null
}

/** Prepares the statements that read a job for its metadata file. */
export function jobRecordStatements(store: Store) {
  return {
    job: store.statement<{ job: number }, JobRecordRow>(
      `SELECT job.run, job.run_id AS runId, harvest.kind, harvest.name, harvest_id AS harvest, harvest.definition_id AS definitionId, job.created_ms AS createdMs,
              started_ms AS startedMs, running_ms AS runningMs, stop_reason AS stopReason, priority, schedule,
              failure_text AS failure, documents_total AS total, documents_fetched AS fetched, documents_failed AS failed,
              documents_excluded AS excluded, documents_duplicate AS duplicate, bytes,
              (SELECT COUNT(*) FROM document WHERE job_id = job.id AND document.truncated IS NOT NULL AND outcome = 'fetched') AS truncated
       FROM job JOIN harvest ON harvest.id = harvest_id WHERE job.id = @job`,
    ),
    files: store.statement<{ job: number; metadataName: string }, JobRecord['files'][number]>(
      `SELECT name, committed_bytes AS bytes, records FROM harvest_file
       WHERE job_id = @job AND metadata_name = @metadataName ORDER BY serial`,
    ),
    limits: store.statement<{ job: number }, JobRecord['limits'][number]>(
      `SELECT domain, objects_max AS objectsMax, bytes_max AS bytesMax FROM domain_budget WHERE job_id = @job ORDER BY domain`,
    ),
    removed: store.statement<{ job: number; after: number; limit: number }, RemovedLine & { id: number }>(
      `SELECT removed_document.id, why, removed_ms AS removedMs, url, via, hop_path AS hopPath, status, media_type AS mediaType,
              removed_document.bytes, content_bytes AS contentBytes, truncated, payload_digest AS payloadDigest,
              fetched_ms AS fetchedMs, duration_ms AS durationMs
       FROM removed_document JOIN job ON job.id = removed_document.job_id AND job.run = removed_document.run
       WHERE removed_document.job_id = @job AND removed_document.id > @after ORDER BY removed_document.id LIMIT @limit`,
    ),
    documents: store.statement<{ job: number; after: number; limit: number }, DocumentDumpRow>(
      `SELECT document.id, document.url, via.url AS via, document.role, document.hop_path AS hopPath, document.hops,
              document.seed_mark AS seedMark, document.outcome, document.reason, document.detail, document.attempts, document.status,
              document.media_type AS mediaType, document.bytes, document.content_bytes AS contentBytes, document.truncated,
              document.payload_digest AS payloadDigest,
              document.fetched_ms AS fetchedMs, document.duration_ms AS durationMs, file.name AS file,
              document.file_offset AS offset, document.comparison, document.due_ms AS dueMs, document.listed_version AS listedVersion,
              document.captured_version AS capturedVersion, record_id AS captureId, capture.captured_ms AS captureMs,
              capture.status AS captureStatus, capture.payload_digest AS captureDigest, named_digest AS namedDigest, etag, last_modified AS lastModified,
              of_capture.name AS captureFile, capture.file_offset AS captureOffset, first_ms AS firstMs, checked_ms AS checkedMs,
              change_count AS changes, elsewhere.revisit AS elsewhereRevisit, elsewhere.url AS elsewhereUrl,
              elsewhere.file_name AS elsewhereFile, elsewhere.file_offset AS elsewhereOffset
       FROM document LEFT JOIN document AS via ON via.id = document.via_id LEFT JOIN harvest_file AS file ON file.id = document.file_id
         LEFT JOIN capture ON capture.document_id = document.id LEFT JOIN harvest_file AS of_capture ON of_capture.id = capture.file_id
         LEFT JOIN original_elsewhere AS elsewhere ON elsewhere.document_id = document.id
       WHERE document.job_id = @job AND document.id > @after ORDER BY document.id LIMIT @limit`,
    ),
  }
}
