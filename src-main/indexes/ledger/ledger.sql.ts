/** Statements on a capture database that follow each capture without content of its own to its original. */
import type { Store } from '../../storage/storage.ts'
import { isReferring } from '../captures/captureIndex.sql.ts'

/** A revisit, or a duplicate that only a crawl log lists. */
export interface ReferringRow {
  key: string
  timestampMs: number
  file: number
  /** Of the record; of a duplicate its number in the crawl logs of the file. */
  offset: number
  length: number
  url: string
  payloadDigest: string
  recordType: 'revisit' | 'duplicate'
}

/** A capture with content. */
export interface OriginalRow {
  file: number
  offset: number
  /** In the archive file, in bytes; 0 if unknown. */
  length: number
  mediaType: string
}

/** A position before all captures. */
export const firstPlace = { key: '', timestampMs: -1, file: -1, offset: -1 }

/** Originals of a capture that are considered: the first one that a replica provides is enough. */
const candidatesMax = 20
const hasContent = `record_type NOT IN ('revisit', 'duplicate')`
const columns = `file, offset, length, media_type AS mediaType`

/** Prepares the statements. */
export function ledgerStatements(store: Store) {
  return {
    files: store.statement<object, { id: number; name: string; job: number | null }>(`SELECT id, name, job FROM file`),
    /** Uses capture_referring in its order. */
    referring: store.statement<typeof firstPlace & { limit: number }, ReferringRow>(
      `SELECT key, timestamp_ms AS timestampMs, file, offset, length, url, payload_digest AS payloadDigest, record_type AS recordType
       FROM capture INDEXED BY capture_referring
       WHERE (key, timestamp_ms, file, offset) > (@key, @timestampMs, @file, @offset) AND ${isReferring}
       ORDER BY key, timestamp_ms, file, offset LIMIT @limit`,
    ),
    /** Uses capture_payload. The captures of the URL with this payload, the nearest in time first. */
    ofPayloadHere: store.statement<{ digest: string; key: string; atMs: number }, OriginalRow>(
      `SELECT ${columns} FROM capture INDEXED BY capture_payload WHERE payload_digest = @digest AND key = @key AND ${hasContent}
       ORDER BY abs(timestamp_ms - @atMs) LIMIT ${candidatesMax}`,
    ),
    /** Uses capture_payload. */
    ofPayload: store.statement<{ digest: string }, OriginalRow>(
      `SELECT ${columns} FROM capture INDEXED BY capture_payload WHERE payload_digest = @digest AND ${hasContent} LIMIT ${candidatesMax}`,
    ),
    /** Uses capture_payload. Whether a second file has this payload. */
    inOtherFile: store.statement<{ digest: string; file: number }, { file: number }>(
      `SELECT file FROM capture INDEXED BY capture_payload WHERE payload_digest = @digest AND ${hasContent} AND file <> @file LIMIT 1`,
    ),
    /** Uses the primary key. A capture of the URL within a second. */
    atMoment: store.statement<{ key: string; fromMs: number; toMs: number }, OriginalRow>(
      `SELECT ${columns} FROM capture WHERE key = @key AND timestamp_ms BETWEEN @fromMs AND @toMs AND ${hasContent} LIMIT 1`,
    ),
    /** Where the crawl log says that the original of a duplicate is. */
    namedByLog: store.statement<{ file: number; number: number }, { filename: string; offset: number; url: string }>(
      `SELECT original_file AS filename, original_offset AS offset, original_url AS url FROM duplicate
       WHERE file = @file AND number = @number`,
    ),
    /** Uses the primary key. */
    atPlace: store.statement<{ key: string; filename: string; offset: number }, OriginalRow>(
      `SELECT ${columns} FROM capture WHERE key = @key AND file = (SELECT id FROM file WHERE name = @filename) AND offset = @offset
         AND ${hasContent} LIMIT 1`,
    ),
  }
}
