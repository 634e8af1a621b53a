/** SQL statements for the reports that Heritrix has about a job: seeds, queues, errors in URLs. They use only columns that
 *  recovery restores. */
import type { Store } from '../../storage/storage.ts'

/** A seed and how it ended. */
export interface SeedRow {
  id: number
  url: string
  outcome: string | null
  status: number | null
  /** Status of the earlier capture, for a seed that was not requested. */
  originalStatus: number | null
  reason: string | null
  detail: string | null
  fetchedMs: number | null
  durationMs: number | null
}

/** The queue of a host at the end of a run. */
export interface QueueRow {
  queue: string
  domain: string
  waiting: number
  enqueued: number
  spent: number
  failed: number
  lastFetchedMs: number | null
  lastFetched: string | null
  lastQueued: string
  objectsMax: number | null
}

/** A URL that cannot be requested. */
export interface WrongUrlRow {
  id: number
  url: string
  via: string | null
  detail: string | null
  foundMs: number
}

const isEnqueued = `(outcome IS NULL OR outcome <> 'excluded')`

/** Prepares the statements. */
export function heritrixReportStatements(store: Store) {
  return {
    seeds: store.statement<{ job: number; after: number; limit: number }, SeedRow>(
      `SELECT document.id, document.url, document.outcome, document.status, capture.status AS originalStatus, document.reason,
              document.detail, document.fetched_ms AS fetchedMs, document.duration_ms AS durationMs
       FROM document LEFT JOIN capture ON capture.document_id = document.id
       WHERE document.job_id = @job AND document.seed_mark <> 'F' AND document.id > @after ORDER BY document.id LIMIT @limit`,
    ),
    /** Targets of the redirects of seeds. */
    redirects: store.statement<{ job: number }, { seed: number; url: string }>(
      `SELECT via_id AS seed, url FROM document WHERE job_id = @job AND hop_path = 'R' AND via_id IS NOT NULL ORDER BY id DESC`,
    ),
    /** The bare columns are those of the row with the maximum (SQLite, "Bare columns in an aggregate query"). */
    queues: store.statement<{ job: number; limit: number }, QueueRow>(
      `WITH queued AS (
         SELECT host_id, COUNT(*) FILTER (WHERE outcome IS NULL) AS waiting, COUNT(*) AS enqueued,
                COUNT(*) FILTER (WHERE outcome IS NOT NULL) AS spent, COUNT(*) FILTER (WHERE outcome = 'failed') AS failed,
                MAX(id), url
         FROM document WHERE job_id = @job AND ${isEnqueued} GROUP BY host_id),
       fetched AS (
         SELECT host_id, MAX(fetched_ms) AS at, url FROM document WHERE job_id = @job AND outcome = 'fetched' GROUP BY host_id)
       SELECT host.origin AS queue, COALESCE(host.domain, '') AS domain, waiting, enqueued, spent, queued.failed,
              fetched.at AS lastFetchedMs, fetched.url AS lastFetched, queued.url AS lastQueued, objects_max AS objectsMax
       FROM queued JOIN host ON host.id = queued.host_id LEFT JOIN fetched ON fetched.host_id = queued.host_id
       LEFT JOIN domain_budget ON domain_budget.job_id = @job AND domain_budget.domain = host.domain
       ORDER BY enqueued DESC, host.origin LIMIT @limit`,
    ),
    wrongUrls: store.statement<{ job: number; after: number; limit: number }, WrongUrlRow>(
      `SELECT document.id, document.url, via.url AS via, document.detail, document.due_ms AS foundMs
       FROM document LEFT JOIN document AS via ON via.id = document.via_id
       WHERE document.job_id = @job AND document.outcome = 'excluded' AND document.reason = 'badAddress' AND document.id > @after
       ORDER BY document.id LIMIT @limit`,
    ),
    records: store.statement<{ job: number }, { files: number; records: number }>(
      `SELECT COUNT(*) AS files, COALESCE(SUM(records), 0) AS records FROM harvest_file
       WHERE job_id = @job AND metadata_name IS (SELECT name FROM run_metadata JOIN job ON job.id = job_id AND job.run = run_metadata.run WHERE job_id = @job)`,
    ),
  }
}
