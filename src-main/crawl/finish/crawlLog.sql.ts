/** The statements of a run's crawl.log. */
import type { Store } from '../../storage/storage.ts'

export interface LoggedDocument {
  position: number
  /** Null: it has left the list of the job in this run. */
  document: number | null
  url: string
  outcome: string
  reason: string | null
  detail: string | null
  status: number | null
  mediaType: string | null
  /** With the HTTP header, and without it. */
  bytes: number | null
  contentBytes: number | null
  truncated: string | null
  payloadDigest: string | null
  hopPath: string
  via: string | null
  loggedMs: number
  /** When the request of what was fetched began; when the others were settled. */
  fetchedMs: number | null
  durationMs: number | null
  attempts: number | null
  /** The archive file that has its record; null: nothing was written. */
  fileName: string | null
  /** The profile of its revisit, as Heritrix annotates it; null: it is none. */
  revisit: 'digest' | 'notModified' | null
  /** 1: nobody was asked, because its list says that it has not changed. */
  isSpared: 0 | 1
  /** Of a revisit or what was spared: where the original is. */
  originalFile: string | null
  originalOffset: number | null
  originalMs: number | null
  /** Of what was spared. */
  originalStatus: number | null
  originalDigest: string | null
  /** 1: the server answered that it is gone, and it left the list. */
  isGone: 0 | 1
}

/** The original is from another fetch than the last: then the last one wrote a revisit, or there was none. */
const isUnchanged = `document.outcome = 'fetched' AND document.comparison = 'unchanged'`
const isSpared = `${isUnchanged} AND (document.fetched_ms IS NULL OR capture.looked_ms > document.fetched_ms)`
const isRevisit = `${isUnchanged} AND capture.looked_ms = document.fetched_ms AND capture.captured_ms < document.fetched_ms`

/** Of what was fetched `fetched_ms` is the begin of the request, of everything else its end. */
const loggedMs = (table: string) =>
  `${table}.fetched_ms + CASE WHEN ${table}.duration_ms > 0 THEN ${table}.duration_ms ELSE 0 END`

/** What never had its turn has been due since it was found. */
const found = `MIN(document.due_ms, COALESCE(@endedMs, document.due_ms))`

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
    /** The order is made once, in a table of this connection alone: sorting for each batch took two minutes at 300,000 documents. */
    order: store.statement<{ job: number; endedMs: number | null }>(
      `INSERT INTO crawl_order (job_id, document_id, removed_id, logged_ms)
       SELECT job_id, document_id, removed_id, logged_ms FROM (
         SELECT document.job_id, document.id AS document_id, NULL AS removed_id,
                CASE WHEN ${isSpared} THEN capture.looked_ms
                     WHEN document.outcome = 'fetched' THEN COALESCE(${loggedMs('document')}, ${found})
                     ELSE COALESCE(document.fetched_ms, ${found}) END AS logged_ms
         FROM document LEFT JOIN capture ON capture.document_id = document.id
         WHERE document.job_id = @job AND document.outcome IS NOT NULL
         UNION ALL
         SELECT removed_document.job_id, NULL, removed_document.id, COALESCE(${loggedMs('removed_document')}, removed_ms)
         FROM removed_document JOIN job ON job.id = removed_document.job_id AND job.run = removed_document.run
         WHERE removed_document.job_id = @job AND why = 'answered')
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
              CASE WHEN ${isRevisit} THEN IIF(document.status = 304, 'notModified', 'digest') END AS revisit,
              COALESCE(${isSpared}, 0) AS isSpared, original.name AS originalFile, capture.file_offset AS originalOffset,
              capture.captured_ms AS originalMs, IIF(${isSpared}, capture.status, NULL) AS originalStatus,
              IIF(${isSpared}, capture.payload_digest, NULL) AS originalDigest, gone.id IS NOT NULL AS isGone
       FROM crawl_order LEFT JOIN document ON document.id = crawl_order.document_id
       LEFT JOIN document AS via ON via.id = document.via_id
       LEFT JOIN removed_document AS gone ON gone.id = crawl_order.removed_id
       LEFT JOIN capture ON capture.document_id = document.id
       LEFT JOIN harvest_file AS original ON original.id = capture.file_id
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
    /** What robots.txt was asked for, where nothing led to it. */
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
