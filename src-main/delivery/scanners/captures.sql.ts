/** SQL statements about committed captures. */
import type { Store } from '../../storage/storage.ts'

/** A committed capture, whose record and row appeared together, with the place of the record that holds its payload. */
export interface CaptureRow {
  id: number
  job: number
  url: string
  mediaType: string | null
  status: number
  payloadDigest: string
  capturedMs: number
  file: string
  offset: number
}

/** `by`: how the documents are found, as SQLite's INDEXED BY. */
const captures = (
  by = '',
) => `SELECT document.id, document.job_id AS job, document.url, COALESCE(capture.media_type, document.media_type) AS mediaType, capture.status,
    capture.payload_digest AS payloadDigest, capture.captured_ms AS capturedMs,
    COALESCE(elsewhere.file_name, harvest_file.name) AS file, COALESCE(elsewhere.file_offset, capture.file_offset) AS offset
  FROM document ${by} JOIN capture ON capture.document_id = document.id JOIN harvest_file ON harvest_file.id = capture.file_id
    LEFT JOIN original_elsewhere AS elsewhere ON elsewhere.document_id = document.id`

/** Prepares the statements. */
export function captureScanStatements(store: Store) {
  return {
    /** Captures of a job in the order of discovery. */
    page: store.statement<{ job: number; after: number; limit: number }, CaptureRow>(
      `${captures('INDEXED BY document_by_job')}
       WHERE document.job_id = @job AND document.id > @after ORDER BY document.id LIMIT @limit`,
    ),
    one: store.statement<{ job: number; key: Uint8Array }, CaptureRow>(
      `${captures()} WHERE document.job_id = @job AND document.url_key = @key`,
    ),
  }
}
