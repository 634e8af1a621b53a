/** SQL statements for the crawl.log of a run. */
import type { Store } from '../../storage/storage.ts'

/** A document as logged in crawl.log. */
export interface LoggedDocument {
  position: number
  /** Id of the document; null if it left the list of the job in this run. */
  document: number | null
  url: string
  outcome: string
  reason: string | null
  detail: string | null
  status: number | null
  mediaType: string | null
  /** Size with (`bytes`) and without (`contentBytes`) the HTTP header. */
  bytes: number | null
  contentBytes: number | null
  truncated: string | null
  payloadDigest: string | null
  hopPath: string
  via: string | null
  loggedMs: number
  /** For a fetched document, when its request began; for others, when they were settled. */
  fetchedMs: number | null
  durationMs: number | null
  attempts: number | null
  /** Archive file that holds its record; null if nothing was written. */
  fileName: string | null
  /** Profile of its revisit record, as Heritrix annotates it; null if it is not a revisit. */
  revisit: 'digest' | 'notModified' | null
  /** 1: not requested, because its list reports no change. */
  isNotRequested: 0 | 1
  /** For a revisit or a document that was not requested: the place of the original. */
  originalFile: string | null
  originalOffset: number | null
  originalMs: number | null
  /** Status and digest of the original, for a document that was not requested. */
  originalStatus: number | null
  originalDigest: string | null
  /** 1: the server answered that the document is gone, and it left the list. */
  isGone: 0 | 1
}

/** The original is from an earlier fetch than the last one, which wrote a revisit or made no request. */
const isUnchanged = `document.outcome = 'fetched' AND document.comparison = 'unchanged'`
const isNotRequested = `${isUnchanged} AND (document.fetched_ms IS NULL OR capture.checked_ms > document.fetched_ms)`
const isRevisit = `${isUnchanged} AND capture.checked_ms = document.fetched_ms AND capture.captured_ms < document.fetched_ms`

/** End of the request: `fetched_ms` is the start of the request for a fetched document, and its end for all others. */
const loggedMs = (table: string) =>
  `${table}.fetched_ms + CASE WHEN ${table}.duration_ms > 0 THEN ${table}.duration_ms ELSE 0 END`

/** When a document that was never processed was found: it has been due since then. */
const found = `MIN(document.due_ms, COALESCE(@endedMs, document.due_ms))`

/** Prepares the statements that read the documents of a run for its crawl log. */
export function crawlLogStatements(store: Store) {
  store
    .statement<object>(
      `CREATE TEMP TABLE IF NOT EXISTS crawl_order (position INTEGER PRIMARY KEY, job_id INTEGER, document_id INTEGER, removed_id INTEGER, logged_ms INTEGER)`,
    )
    .run({})
  store
    .statement<object>(
      `CREATE TEMP TABLE IF NOT EXISTS crawl_source (document_id INTEGER PRIMARY KEY, seed_id INTEGER NOT NULL)`,
    )
    .run({})
  return {
    forget: store.statement<{ job: number }>(`DELETE FROM crawl_order WHERE job_id = @job`),
    forgetSources: store.statement<object>(`DELETE FROM crawl_source`),
    /** Builds the order once, in a temporary table of this connection: sorting for each batch took two minutes with 300,000
     *  documents. */
    order: store.statement<{ job: number; endedMs: number | null; outcome: 'failed' | null }>(
      `INSERT INTO crawl_order (job_id, document_id, removed_id, logged_ms)
       SELECT job_id, document_id, removed_id, logged_ms FROM (
         SELECT document.job_id, document.id AS document_id, NULL AS removed_id,
                CASE WHEN ${isNotRequested} THEN capture.checked_ms
                     WHEN document.outcome = 'fetched' THEN COALESCE(${loggedMs('document')}, ${found})
                     ELSE COALESCE(document.fetched_ms, ${found}) END AS logged_ms
         FROM document LEFT JOIN capture ON capture.document_id = document.id
         WHERE document.job_id = @job AND document.outcome IS NOT NULL AND (@outcome IS NULL OR document.outcome = @outcome)
         UNION ALL
         SELECT removed_document.job_id, NULL, removed_document.id, COALESCE(${loggedMs('removed_document')}, removed_ms)
         FROM removed_document JOIN job ON job.id = removed_document.job_id AND job.run = removed_document.run
         WHERE removed_document.job_id = @job AND why = 'answered' AND @outcome IS NULL)
       ORDER BY logged_ms, document_id, removed_id`,
    ),
    lines: store.statement<{ job: number; after: number; limit: number }, LoggedDocument>(
      `SELECT crawl_order.position, document.id AS document, COALESCE(document.url, gone.url) AS url,
              COALESCE(document.outcome, 'fetched') AS outcome, document.reason, document.detail,
              COALESCE(document.status, gone.status) AS status, COALESCE(document.media_type, gone.media_type) AS mediaType,
              COALESCE(document.bytes, gone.bytes) AS bytes, COALESCE(document.content_bytes, gone.content_bytes) AS contentBytes,
              COALESCE(document.truncated, gone.truncated) AS truncated,
              COALESCE(document.payload_digest, gone.payload_digest) AS payloadDigest,
              COALESCE(document.hop_path, gone.hop_path) AS hopPath, COALESCE(via.url, gone.via) AS via,
              crawl_order.logged_ms AS loggedMs, COALESCE(document.fetched_ms, gone.fetched_ms) AS fetchedMs,
              COALESCE(document.duration_ms, gone.duration_ms) AS durationMs, document.attempts,
              CASE WHEN gone.id IS NULL THEN written.name ELSE '' END AS fileName,
              CASE WHEN ${isRevisit} THEN IIF(document.status = 304, 'notModified', 'digest')
                   WHEN document.outcome = 'fetched' AND NOT COALESCE(${isNotRequested}, 0) THEN elsewhere.revisit END AS revisit,
              COALESCE(${isNotRequested}, 0) AS isNotRequested, COALESCE(elsewhere.file_name, original.name) AS originalFile,
              COALESCE(elsewhere.file_offset, capture.file_offset) AS originalOffset,
              COALESCE(elsewhere.captured_ms, capture.captured_ms) AS originalMs, IIF(${isNotRequested}, capture.status, NULL) AS originalStatus,
              IIF(${isNotRequested}, capture.payload_digest, NULL) AS originalDigest, gone.id IS NOT NULL AS isGone
       FROM crawl_order LEFT JOIN document ON document.id = crawl_order.document_id
       LEFT JOIN document AS via ON via.id = document.via_id
       LEFT JOIN removed_document AS gone ON gone.id = crawl_order.removed_id
       LEFT JOIN capture ON capture.document_id = document.id
       LEFT JOIN harvest_file AS original ON original.id = capture.file_id
       LEFT JOIN original_elsewhere AS elsewhere ON elsewhere.document_id = document.id
       LEFT JOIN harvest_file AS written ON written.id = document.file_id
       WHERE crawl_order.position > @after AND crawl_order.job_id = @job ORDER BY crawl_order.position LIMIT @limit`,
    ),
    sourceOf: store.statement<{ document: number }, { seed: number }>(
      `SELECT seed_id AS seed FROM crawl_source WHERE document_id = @document`,
    ),
    addSource: store.statement<{ document: number; seed: number }>(
      `INSERT OR IGNORE INTO crawl_source (document_id, seed_id) VALUES (@document, @seed)`,
    ),
    place: store.statement<{ document: number }, { via: number | null; role: string; host: number }>(
      `SELECT via_id AS via, role, host_id AS host FROM document WHERE id = @document`,
    ),
    /** The document for which robots.txt was requested, where no document links to it. */
    seedOfHost: store.statement<{ job: number; host: number }, { id: number }>(
      `SELECT id FROM document WHERE job_id = @job AND host_id = @host AND via_id IS NULL AND role <> 'robots' ORDER BY id LIMIT 1`,
    ),
    url: store.statement<{ document: number }, { url: string }>(`SELECT url FROM document WHERE id = @document`),
    /** Uses the unique index of (job_id, url_key). */
    byKey: store.statement<{ job: number; key: Uint8Array }, { id: number }>(
      `SELECT id FROM document WHERE job_id = @job AND url_key = @key`,
    ),
  }
}
