/** SQL statements about the documents of a job, for its page, its reports and the viewer: counts, lists and the search for a URL. */
import type { DocumentState } from '../../contract/states/documentStates.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import { isIncomplete, isQueued } from './documentSets.ts'
import type { Comparison } from '../../contract/shapes/comparisons.ts'
import type { RemovalReason } from './recheckResults.ts'

/** A document in the list of a job. Sizes are in bytes, `durationMs` is the time from the request to the end of the answer. */
export interface DocumentListRow {
  id: number
  url: string
  state: DocumentState
  outcome: string | null
  reason: string | null
  detail: string | null
  truncated: Truncation | null
  status: number | null
  mediaType: string | null
  bytes: number | null
  hopPath: string
  via: string | null
  fetchedMs: number | null
  durationMs: number | null
  attempts: number
}

/** A capture as an index stores it. */
export interface CapturedElsewhere {
  url: string
  timestampMs: number
  status: number
  job: number
  filename: string
  offset: number
  recordType: 'response'
  payloadDigest: string
}

/** A document that could not be fetched. */
export interface Failure {
  id: number
  url: string
  role: 'page' | 'requisite'
  /** A reason of `contract/states/outcomes`. */
  reason: string
  /** The document that links to it; null for a seed. */
  via: string | null
}

/** Most hosts and media types on a job's page and in its reports, the largest first: a crawl of the Web has a hundred
 *  thousand. */
const rowsMax = 1_000

/** `@outcome` 'queued' selects documents that wait or are in flight, 'truncated' selects incomplete captures, null selects
 *  all. */
const chosen = `
  document.job_id = @job
  AND (@outcome IS NULL OR (@outcome = 'queued' AND ${isQueued}) OR document.outcome = @outcome
    OR (@outcome = 'truncated' AND document.outcome = 'fetched' AND document.truncated IS NOT NULL))
  AND (@text IS NULL OR instr(document.url, @text) > 0)`

/** SQL expression of the HTTP status, or of the reason why there is none; NULL before the first attempt, and for a file that was read
 *  without HTTP. */
export const documentStatus = `COALESCE(CAST(document.status AS TEXT), document.reason)`

/** Prepares the statements that count the documents of a job by one property. */
export function documentCountStatements(store: Store) {
  return {
    byStatus: store.statement<{ job: number }, { status: string; documents: number }>(
      `SELECT COALESCE(${documentStatus}, 'file') AS status, COUNT(*) AS documents FROM document
       WHERE job_id = @job AND outcome IN ('fetched', 'failed') GROUP BY 1 ORDER BY documents DESC, 1`,
    ),
    byMediaType: store.statement<{ job: number }, { mediaType: string | null; documents: number; bytes: number }>(
      `SELECT media_type AS mediaType, COUNT(*) AS documents, SUM(bytes) AS bytes FROM document
       WHERE job_id = @job AND outcome = 'fetched' GROUP BY 1 ORDER BY documents DESC, 1 LIMIT ${rowsMax}`,
    ),
    byReason: store.statement<{ job: number }, { outcome: string; reason: string; documents: number }>(
      `SELECT outcome, reason, COUNT(*) AS documents FROM document
       WHERE job_id = @job AND reason IS NOT NULL GROUP BY 1, 2 ORDER BY documents DESC, 2`,
    ),
    byTruncation: store.statement<{ job: number }, { truncation: Truncation; documents: number }>(
      `SELECT truncation, SUM(documents) AS documents FROM (
         SELECT truncated AS truncation, COUNT(*) AS documents FROM document WHERE job_id = @job AND ${isIncomplete} GROUP BY truncated
         UNION ALL SELECT reason, SUM(captures) FROM imported_truncation WHERE job_id = @job GROUP BY reason)
       GROUP BY truncation ORDER BY documents DESC, truncation`,
    ),
    byHost: store.statement<
      { job: number },
      { origin: string; queued: number; fetched: number; failed: number; excluded: number; bytes: number }
    >(
      `SELECT host.origin, COUNT(*) FILTER (WHERE ${isQueued}) AS queued,
              COUNT(*) FILTER (WHERE document.outcome = 'fetched') AS fetched,
              COUNT(*) FILTER (WHERE document.outcome = 'failed') AS failed,
              COUNT(*) FILTER (WHERE document.outcome = 'excluded') AS excluded,
              COALESCE(SUM(document.bytes) FILTER (WHERE document.outcome = 'fetched'), 0) AS bytes
       FROM document JOIN host ON host.id = document.host_id WHERE document.job_id = @job GROUP BY host.id ORDER BY fetched DESC, host.origin LIMIT ${rowsMax}`,
    ),
    byComparison: store.statement<{ job: number }, { comparison: Comparison; documents: number }>(
      `SELECT comparison, COUNT(*) AS documents FROM (
         SELECT comparison FROM document WHERE job_id = @job AND comparison IS NOT NULL AND outcome = 'fetched'
         UNION ALL
         SELECT 'gone' FROM removed_document JOIN job ON job.id = removed_document.job_id AND job.run = removed_document.run
         WHERE removed_document.job_id = @job AND why = 'answered') GROUP BY comparison ORDER BY comparison`,
    ),
  }
}

/** Prepares the statements that list documents of a job. */
export function documentListStatements(store: Store) {
  return {
    documents: store.statement<
      { job: number; outcome: string | null; text: string | null; limit: number; offset: number },
      DocumentListRow
    >(
      `SELECT document.id, document.url, document.state, document.outcome, document.reason, document.detail, document.truncated, document.status,
              document.media_type AS mediaType, document.bytes, document.hop_path AS hopPath, via.url AS via,
              document.fetched_ms AS fetchedMs, document.duration_ms AS durationMs, document.attempts
       FROM document LEFT JOIN document AS via ON via.id = document.via_id
       WHERE ${chosen} ORDER BY document.id LIMIT @limit OFFSET @offset`,
    ),
    documentsTotal: store.statement<{ job: number; outcome: string | null; text: string | null }, { total: number }>(
      `SELECT COUNT(*) AS total FROM document WHERE ${chosen}`,
    ),
    /** Incomplete captures, in the order of the reasons. Uses document_truncated. */
    truncated: store.statement<
      { job: number; truncation: Truncation; after: number; limit: number },
      { id: number; url: string; status: number | null; contentBytes: number | null }
    >(
      `SELECT id, url, status, content_bytes AS contentBytes FROM document
       WHERE job_id = @job AND truncated = @truncation AND outcome = 'fetched' AND id > @after ORDER BY id LIMIT @limit`,
    ),
    /** Documents that left the list in this run. */
    removed: store.statement<
      { job: number; limit: number; after: number },
      { id: number; url: string; why: RemovalReason; status: number | null }
    >(
      `SELECT removed_document.id, url, why, status FROM removed_document
       JOIN job ON job.id = removed_document.job_id AND job.run = removed_document.run
       WHERE removed_document.job_id = @job AND removed_document.id > @after ORDER BY removed_document.id LIMIT @limit`,
    ),
  }
}

/** Prepares the statements that find one URL in the jobs. */
export function urlStatements(store: Store) {
  return {
    /** Uses the unique index of (job_id, url_key). */
    knownUrl: store.statement<
      { job: number; key: Uint8Array },
      { outcome: string | null; reason: string | null; detail: string | null; status: number | null; isQueued: number }
    >(
      `SELECT outcome, reason, detail, status, ${isQueued} AS isQueued FROM document WHERE job_id = @job AND url_key = @key`,
    ),
    /** Jobs among `jobs`, a JSON list, that have a capture of the URL. Uses the unique index of `document` once for each job. */
    capturedIn: store.statement<{ key: Uint8Array; jobs: string }, { job: number }>(
      `SELECT document.job_id AS job FROM json_each(@jobs) CROSS JOIN document
       ON document.job_id = value AND document.url_key = @key AND document.outcome = 'fetched'`,
    ),
    /** Pages and their parts that could not be fetched, in the order of their ids. Uses document_by_outcome. */
    failures: store.statement<{ job: number; after: number; limit: number }, Failure>(
      `SELECT document.id, document.url, document.role, document.reason, via.url AS via
       FROM document LEFT JOIN document AS via ON via.id = document.via_id
       WHERE document.job_id = @job AND document.outcome = 'failed' AND document.id > @after
         AND document.role IN ('page', 'requisite') ORDER BY document.id LIMIT @limit`,
    ),
    /** Uses the unique index of `document` once for each job. */
    capturedElsewhere: store.statement<{ key: Uint8Array; jobs: string; limit: number }, CapturedElsewhere>(
      `SELECT document.url, captured_ms AS timestampMs, capture.status, document.job_id AS job, harvest_file.name AS filename,
              capture.file_offset AS offset, 'response' AS recordType, capture.payload_digest AS payloadDigest
       FROM job CROSS JOIN document ON document.job_id = job.id AND document.url_key = @key
         JOIN capture ON capture.document_id = document.id JOIN harvest_file ON harvest_file.id = capture.file_id
       WHERE job.id NOT IN (SELECT value FROM json_each(@jobs))
         AND NOT EXISTS (SELECT 1 FROM original_elsewhere WHERE document_id = document.id) ORDER BY captured_ms DESC LIMIT @limit`,
    ),
  }
}
