/** The last capture of a document: read when its turn comes, written when it is settled. */
import type { PreviousCapture, Validators } from '../model/document.ts'
import type { Store } from '../../storage/storage.ts'

interface Row extends Validators {
  recordId: string
  capturedMs: number
  status: number
  payloadDigest: string
  namedDigest: string
  fileName: string
  fileOffset: number
  /** URL of the original if it is in another job. */
  url: string | null
  firstMs: number
  checkedMs: number
  changeCount: number
}

/** Returns a function that reads the last capture of a document; it returns undefined if there is none. */
export function previousCaptureReader(store: Store): (document: number) => PreviousCapture | undefined {
  const one = store.statement<{ id: number }, Row>(
    `SELECT record_id AS recordId, capture.captured_ms AS capturedMs, status, payload_digest AS payloadDigest,
            COALESCE(named_digest, payload_digest) AS namedDigest, etag, last_modified AS lastModified,
            COALESCE(elsewhere.file_name, harvest_file.name) AS fileName, COALESCE(elsewhere.file_offset, capture.file_offset) AS fileOffset,
            elsewhere.url, first_ms AS firstMs, checked_ms AS checkedMs, change_count AS changeCount
     FROM capture JOIN harvest_file ON harvest_file.id = capture.file_id
       LEFT JOIN original_elsewhere AS elsewhere ON elsewhere.document_id = capture.document_id
     WHERE capture.document_id = @id`,
  )
  return (id) => {
    const row = one.get({ id })
    return row && previousCaptureOf(row)
  }
}

function previousCaptureOf({
  recordId,
  capturedMs,
  status,
  payloadDigest,
  namedDigest,
  fileName,
  fileOffset,
  url,
  ...previous
}: Row): PreviousCapture {
  return {
    ...previous,
    original: { id: recordId, ...(url !== null && { url }), ms: capturedMs, status, payloadDigest, namedDigest },
    place: { fileName, offset: fileOffset },
  }
}

/** A capture to record as the last one. */
export interface Captured extends Validators {
  id: number
  recordId: string
  /** Of the record with the content. */
  capturedMs: number
  /** Of this capture. */
  seenMs: number
  status: number
  payloadDigest: string
  namedDigest: string
  /** The file with that record; if the record is in another job (`original_elsewhere`), the file with the revisit that refers to it. */
  file: number
  fileOffset: number
}

/** Prepares the statements that record captures. */
export function captureStatements(store: Store) {
  return {
    /** Records the first capture, or one that differs from the last. */
    changed: store.statement<Captured>(
      `INSERT INTO capture (document_id, record_id, captured_ms, status, payload_digest, named_digest, media_type, content_bytes, etag,
                            last_modified, file_id, file_offset, first_ms, checked_ms, change_count)
       SELECT id, @recordId, @capturedMs, @status, @payloadDigest, NULLIF(@namedDigest, @payloadDigest), media_type, content_bytes, @etag,
              @lastModified, @file, @fileOffset, @seenMs, @seenMs, 1
       FROM document WHERE id = @id
       ON CONFLICT (document_id) DO UPDATE SET
         change_count = change_count + (status <> excluded.status OR payload_digest <> excluded.payload_digest),
         record_id = excluded.record_id, captured_ms = excluded.captured_ms, status = excluded.status,
         payload_digest = excluded.payload_digest, named_digest = excluded.named_digest,
         media_type = COALESCE(excluded.media_type, media_type), content_bytes = COALESCE(excluded.content_bytes, content_bytes),
         etag = excluded.etag, last_modified = excluded.last_modified,
         file_id = excluded.file_id, file_offset = excluded.file_offset, checked_ms = excluded.checked_ms`,
    ),
    /** Records that the document is still unchanged. The server may have sent new validators. */
    unchanged: store.statement<{ id: number; nowMs: number } & Validators>(
      `UPDATE capture SET checked_ms = @nowMs, etag = COALESCE(@etag, etag), last_modified = COALESCE(@lastModified, last_modified)
       WHERE document_id = @id`,
    ),
  }
}

/** What a revisit refers to in another job. */
interface Elsewhere {
  id: number
  revisit: 'digest' | 'notModified'
  url: string
  capturedMs: number
  fileName: string
  fileOffset: number
}

/** Prepares the statements that record the originals of revisits in other jobs. */
export function elsewhereStatements(store: Store) {
  return {
    note: store.statement<Elsewhere>(
      `INSERT OR REPLACE INTO original_elsewhere (document_id, revisit, url, captured_ms, file_name, file_offset)
       VALUES (@id, @revisit, @url, @capturedMs, @fileName, @fileOffset)`,
    ),
    forget: store.statement<{ id: number }>(`DELETE FROM original_elsewhere WHERE document_id = @id`),
  }
}
