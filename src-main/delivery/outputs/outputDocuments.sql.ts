/** SQL statements about the documents of an output: what has to be looked at, whose document it is, and what is known of it. */
import { isOfJob } from '../../storage/schema/outputTables.ts'
import type { Store } from '../../storage/storage.ts'
import type { CaptureRow } from '../scanners/captures.sql.ts'
import type { Known, Versions } from './desired.ts'

/** A URL that has to be looked at. */
export interface PendingRow {
  id: number
  key: Buffer
  changes: number
}

/** The document whose capture an output should have. */
export interface OwnerRow extends CaptureRow {
  contentBytes: number | null
  /** JSON. */
  specification: string
}

/** What is known of a URL at an output. */
export interface RecordRow extends Known {
  /** Its URL; null: it was never sent. */
  url: string | null
}

interface Looked {
  output: number
  key: Uint8Array
}

interface Sent extends Looked {
  document: number
  job: number
  nowMs: number
}

/** The statements whose query plans are asserted: they run for every URL that has changed. */
export const hotOutputSql = {
  pending: `SELECT id, url_key AS key, changes FROM output_pending INDEXED BY output_pending_by_id
       WHERE output_id = @output AND id > @after ORDER BY id LIMIT @limit`,
  /** The latest that a job has seen of the URL replaces what others saw before. Documents that are no content are none. */
  owner: `SELECT document.id, document.job_id AS job, document.url, COALESCE(capture.media_type, document.media_type) AS mediaType,
         capture.content_bytes AS contentBytes, capture.status, capture.payload_digest AS payloadDigest, capture.captured_ms AS capturedMs,
         COALESCE(elsewhere.file_name, harvest_file.name) AS file, COALESCE(elsewhere.file_offset, capture.file_offset) AS offset,
         job_output.specification
       FROM job_output INDEXED BY job_output_by_output
         CROSS JOIN document ON document.job_id = job_output.job_id AND document.url_key = @key
         JOIN capture ON capture.document_id = document.id JOIN harvest_file ON harvest_file.id = capture.file_id
         LEFT JOIN original_elsewhere AS elsewhere ON elsewhere.document_id = document.id
       WHERE job_output.output_id = @output AND ${isOfJob('document')} AND capture.status BETWEEN 200 AND 299
         AND document.role IN ('page', 'requisite')
       ORDER BY capture.checked_ms DESC, document.job_id DESC LIMIT 1`,
  record: `SELECT record.content, record.version, record.output_version AS outputVersion,
         record.transformation_version AS transformationVersion, document.key AS url
       FROM output_document AS record LEFT JOIN delivery_document AS document ON document.id = record.document_id
       WHERE record.output_id = @output AND record.url_key = @key`,
} as const

/** Prepares the statements. */
export function outputDocumentStatements(store: Store) {
  return {
    pending: store.statement<{ output: number; after: number; limit: number }, PendingRow>(hotOutputSql.pending),
    owner: store.statement<Looked, OwnerRow>(hotOutputSql.owner),
    record: store.statement<Looked, RecordRow>(hotOutputSql.record),
    /** Ends a look, unless the URL has changed meanwhile. */
    looked: store.statement<{ id: number; changes: number }>(
      `DELETE FROM output_pending WHERE id = @id AND changes = @changes`,
    ),
    /** Notes a delivery in the transaction in which it begins. */
    sent: store.statement<Sent & Versions>(
      `INSERT INTO output_document (output_id, url_key, document_id, job_id, content, state, version, output_version,
                                    transformation_version, first_ms, last_ms, checked_ms, change_count)
       VALUES (@output, @key, @document, @job, 'sent', 'PROCESSING', @version, @outputVersion, @transformationVersion, @nowMs, @nowMs,
               @nowMs, 1)
       ON CONFLICT (output_id, url_key) DO UPDATE SET
         first_ms = CASE content WHEN 'sent' THEN first_ms ELSE excluded.first_ms END,
         change_count = CASE content WHEN 'sent' THEN change_count + 1 ELSE 1 END,
         document_id = excluded.document_id, job_id = excluded.job_id, content = excluded.content, state = excluded.state,
         version = excluded.version, output_version = excluded.output_version,
         transformation_version = excluded.transformation_version, last_ms = excluded.last_ms, checked_ms = excluded.checked_ms`,
    ),
    /** Notes a removal in the transaction in which it begins. With versions, the output does not take the document. */
    removed: store.statement<
      Omit<Sent, 'job'> & { content: 'none' | 'removed' } & { [Name in keyof Versions]: string | null }
    >(
      `UPDATE output_document SET document_id = @document, content = @content, state = 'PROCESSING', version = @version,
              output_version = @outputVersion, transformation_version = @transformationVersion, last_ms = @nowMs, checked_ms = @nowMs
       WHERE output_id = @output AND url_key = @key`,
    ),
    /** Notes that the document is valid, and that the output does not take it. */
    remember: store.statement<Looked & Versions & { job: number; nowMs: number }>(
      `INSERT INTO output_document (output_id, url_key, job_id, content, state, version, output_version, transformation_version,
                                    first_ms, last_ms, checked_ms, change_count)
       VALUES (@output, @key, @job, 'none', '', @version, @outputVersion, @transformationVersion, @nowMs, @nowMs, @nowMs, 1)
       ON CONFLICT (output_id, url_key) DO UPDATE SET
         job_id = excluded.job_id, content = excluded.content, version = excluded.version, output_version = excluded.output_version,
         transformation_version = excluded.transformation_version, checked_ms = excluded.checked_ms`,
    ),
    /** Notes that nothing has changed. */
    checked: store.statement<Looked & { job: number | null; nowMs: number }>(
      `UPDATE output_document SET checked_ms = @nowMs, job_id = COALESCE(@job, job_id) WHERE output_id = @output AND url_key = @key`,
    ),
    forget: store.statement<Looked>(`DELETE FROM output_document WHERE output_id = @output AND url_key = @key`),
    specification: store.statement<{ output: number; job: number }, { specification: string }>(
      `SELECT specification FROM job_output WHERE output_id = @output AND job_id = @job`,
    ),
    /** Documents on their way. */
    underWay: store.statement<{ destination: number }, { count: number }>(
      `SELECT COALESCE(SUM(documents), 0) AS count FROM delivery_count
       WHERE destination_id = @destination AND state IN ('PROCESSING', 'BATCHED', 'INDEXING')`,
    ),
  }
}

/** What of a job was noted so far. */
interface ScanRow {
  job: number
  afterDocument: number
  afterRecord: number
  /** Whether the job still delivers to the output. */
  isNamed: number
}

interface ScanPage {
  output: number
  job: number
  after: number
  last: number
}

type AsPage = { after: number; limit: number; job: number }

/** Prepares the statements that note all documents of a job. */
export function outputScanStatements(store: Store) {
  const note = (source: string) =>
    store.statement<ScanPage>(
      `INSERT INTO output_pending (output_id, url_key) SELECT @output, url_key FROM ${source} AND id > @after AND id <= @last
       ON CONFLICT (output_id, url_key) DO UPDATE SET changes = changes + 1`,
    )
  return {
    next: store.statement<{ output: number }, ScanRow>(
      `SELECT job_id AS job, after_document AS afterDocument, after_record AS afterRecord,
              EXISTS (SELECT 1 FROM job_output WHERE job_output.job_id = output_scan.job_id AND output_id = @output) AS isNamed
       FROM output_scan WHERE output_id = @output LIMIT 1`,
    ),
    lastDocument: store.statement<AsPage, { last: number | null }>(
      `SELECT MAX(id) AS last FROM (SELECT id FROM document INDEXED BY document_by_job WHERE job_id = @job AND id > @after ORDER BY id LIMIT @limit)`,
    ),
    lastRecord: store.statement<AsPage & { output: number }, { last: number | null }>(
      `SELECT MAX(id) AS last FROM (SELECT id FROM output_document INDEXED BY output_document_by_job
         WHERE output_id = @output AND job_id = @job AND id > @after ORDER BY id LIMIT @limit)`,
    ),
    noteDocuments: note(`document INDEXED BY document_by_job WHERE job_id = @job`),
    noteRecords: note(`output_document INDEXED BY output_document_by_job WHERE output_id = @output AND job_id = @job`),
    documentsNoted: store.statement<{ output: number; job: number; last: number }>(
      `UPDATE output_scan SET after_document = @last WHERE output_id = @output AND job_id = @job`,
    ),
    recordsNoted: store.statement<{ output: number; job: number; last: number }>(
      `UPDATE output_scan SET after_record = @last WHERE output_id = @output AND job_id = @job`,
    ),
    end: store.statement<{ output: number; job: number }>(
      `DELETE FROM output_scan WHERE output_id = @output AND job_id = @job`,
    ),
  }
}
