/** SQL statements about jobs as a whole: their presentation to users, and users' requests. */
import type { DocumentState } from '../../contract/states/documentStates.ts'
import { isInProgress, isQueued, isWaiting } from './documentSets.ts'
import { jobStates, type JobState } from '../../contract/states/jobStates.ts'
import type { RemovalReason, Comparison } from './recheckResults.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Store } from '../../storage/storage.ts'
import { neverMs } from './limits.ts'

/** A job with the numbers of its current or last run. */
export interface JobRow {
  id: number
  harvest: number
  name: string
  kind: 'event' | 'import'
  definition: string
  schedule: string | null
  state: JobState
  stopReason: string | null
  errorText: string | null
  /** The code of the error in `errorText`, if known. */
  errorCode: FaultCode | null
  /** Why the run was ended. `errorText` is the same unless the end itself could not be completed either. */
  failureText: string | null
  createdMs: number
  startedMs: number | null
  endedMs: number | null
  /** Milliseconds for which this run has been worked on. */
  runningMs: number
  /** Number of stretches of this run: one begins at its start, after each pause and after each kill. */
  stretches: number
  priority: number
  total: number
  queued: number
  fetched: number
  failed: number
  excluded: number
  duplicate: number
  /** Number of incomplete captures: of documents that it fetched, or in the files that it imported. */
  truncated: number
  /** Only for imports: files rejected, and files with errors. */
  filesRefused: number
  filesWithErrors: number
  /** Only for imports: places in its files that violate a rule. */
  errors: number
  warnings: number
  notes: number
  bytes: number
  run: number
  /** Chosen at random when the run began. */
  runId: string
  /** The last line of the job's log before this run. */
  logBefore: number
  /** Null: the next seeding is from the beginning. */
  seedingVersion: string | null
  /** Incremented by each change of the definition. */
  definitionVersion: number
  /** Version of the definition whose seeds are in the queue. */
  seededVersion: number
  /** 0: the metadata file of the last run may not be written yet, and none of its data may be deleted. */
  isDescribed: number
  /** 1: the archive already had files that were to be imported, and none was refused. */
  isKnown: number
}

/** A run that has ended, of a job that has begun a further one. */
export interface RunRow {
  run: number
  startedMs: number
  endedMs: number | null
  runningMs: number
  stopReason: string | null
  errorText: string | null
  fetched: number
  failed: number
  excluded: number
  truncated: number | null
  bytes: number
}

/** A job that is not INACTIVE. */
export interface RunningJob {
  id: number
  state: JobState
}

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

/** Conditions that use document_truncated, the key of imported_truncation, imported_file_by_state and imported_file_findings:
 *  lists of jobs are requested often. */
const isTruncated = `outcome = 'fetched' AND truncated IS NOT NULL`
const hasFindings = `job_id = job.id AND errors + warnings + notes > 0`
const findingColumns = `
  (SELECT COUNT(*) FROM document WHERE job_id = job.id AND ${isTruncated})
    + (SELECT COALESCE(SUM(captures), 0) FROM imported_truncation WHERE job_id = job.id) AS truncated,
  (SELECT COUNT(*) FROM imported_file WHERE job_id = job.id AND state = 'REFUSED') AS filesRefused,
  (SELECT COUNT(*) FROM imported_file WHERE ${hasFindings} AND errors > 0) AS filesWithErrors,
  (SELECT COALESCE(SUM(errors), 0) FROM imported_file WHERE ${hasFindings}) AS errors,
  (SELECT COALESCE(SUM(warnings), 0) FROM imported_file WHERE ${hasFindings}) AS warnings,
  (SELECT COALESCE(SUM(notes), 0) FROM imported_file WHERE ${hasFindings}) AS notes`

const jobColumns = `
  job.id, job.harvest_id AS harvest, harvest.name, harvest.kind, harvest.definition, job.schedule, job.state, job.stop_reason AS stopReason,
  job.error_text AS errorText, job.error_code AS errorCode, job.failure_text AS failureText,
  job.created_ms AS createdMs, job.started_ms AS startedMs, job.ended_ms AS endedMs,
  job.running_ms AS runningMs, job.stretches, job.priority, job.documents_total AS total, job.documents_queued AS queued,
  job.documents_fetched AS fetched, job.documents_failed AS failed, job.documents_excluded AS excluded,
  job.documents_duplicate AS duplicate, job.bytes, job.run, job.run_id AS runId, job.log_before_id AS logBefore, job.seeding_version AS seedingVersion,
  job.definition_version AS definitionVersion, job.seeded_version AS seededVersion,
  job.is_described AS isDescribed,
  EXISTS (SELECT 1 FROM imported_file WHERE imported_file.job_id = job.id AND imported_file.state = 'KNOWN')
    AND NOT EXISTS (SELECT 1 FROM imported_file WHERE imported_file.job_id = job.id AND imported_file.state = 'REFUSED') AS isKnown,
  ${findingColumns}`

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

export const moveGivingUpSql = `
UPDATE document INDEXED BY document_failing SET fail_ms = MAX(0, fail_ms + @byMs) WHERE fail_ms IS NOT NULL`

const atRest = `'${jobStates.initial}'`

export function jobStatements(store: Store) {
  return {
    addHarvest: store.statement<{ name: string; kind: string; definition: string; nowMs: number }, { id: number }>(
      `INSERT INTO harvest (name, kind, definition, created_ms) VALUES (@name, @kind, @definition, @nowMs) RETURNING id`,
    ),
    /** File names contain the number, so it must be one that no job has had and that no file name contains. */
    addJob: store.statement<{ harvest: number; state: string; nowMs: number; runId: string }, { id: number }>(
      `INSERT INTO job (id, harvest_id, state, created_ms, run_id)
       SELECT MAX(1 + COALESCE((SELECT MAX(id) FROM job), 0), 1 + COALESCE((SELECT MAX(id) FROM deleted_job), 0),
                  (SELECT job_number_min FROM database_state)), @harvest, @state, @nowMs, @runId
       RETURNING id`,
    ),
    addImport: store.statement<{ job: number; path: string }>(
      `INSERT INTO import_file (job_id, path) VALUES (@job, @path) ON CONFLICT DO NOTHING`,
    ),
    importsOf: store.statement<{ job: number }, { path: string }>(
      `SELECT path FROM import_file WHERE job_id = @job ORDER BY path`,
    ),
    /** Counts the files of ended runs that wait in the job's folder because they are not in every replica. */
    unstored: store.statement<{ job: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM harvest_file WHERE job_id = @job AND state <> 'STORED'`,
    ),
    importing: store.statement<object, { path: string }>(
      `SELECT path FROM import_file JOIN job ON job.id = job_id WHERE job.state <> ${atRest}`,
    ),
    /** Newest first; without the run that is in progress or ended last. */
    earlierRuns: store.statement<{ job: number }, RunRow>(
      `SELECT run, started_ms AS startedMs, ended_ms AS endedMs, running_ms AS runningMs, stop_reason AS stopReason,
              error_text AS errorText, fetched, failed, excluded, truncated, bytes
       FROM job_run WHERE job_id = @job AND run < (SELECT run FROM job WHERE id = @job) ORDER BY run DESC`,
    ),
    setDefinition: store.statement<{ harvest: number; definition: string }>(
      `UPDATE harvest SET definition = @definition WHERE id = @harvest`,
    ),
    all: store.statement<object, JobRow>(
      `SELECT ${jobColumns} FROM job JOIN harvest ON harvest.id = job.harvest_id ORDER BY job.id DESC`,
    ),
    one: store.statement<{ job: number }, JobRow>(
      `SELECT ${jobColumns} FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE job.id = @job`,
    ),
    running: store.statement<object, RunningJob>(`SELECT id, state FROM job WHERE state <> ${atRest} ORDER BY id`),
    /** Resets everything that belongs to the previous run. */
    beginRun: store.statement<{ job: number; runId: string }>(
      `UPDATE job SET run = run + 1, run_id = @runId, documents_total = 0, documents_fetched = 0, documents_failed = 0, documents_excluded = 0,
              documents_duplicate = 0, bytes = 0,
              log_before_id = COALESCE((SELECT MAX(id) FROM job_event WHERE job_id = @job), 0), started_ms = NULL, running_ms = 0, stretches = 0, stop_reason = NULL, error_text = NULL, error_code = NULL, failure_text = NULL,
              window_end_ms = NULL, fail_ms = NULL, fail_count = NULL WHERE id = @job`,
    ),
    /** Leaves the window of the run; windows that began in the meantime do not count. The time never moves back: a clock that
     *  was set back would begin them again. */
    endRun: store.statement<{ job: number; nowMs: number }>(
      `UPDATE job SET last_assessed_ms = MAX(COALESCE(last_assessed_ms, 0), @nowMs), window_end_ms = NULL, reseed_ms = NULL
       WHERE id = @job`,
    ),
    begin: store.statement<{ job: number; nowMs: number }>(
      `UPDATE job SET started_ms = COALESCE(started_ms, @nowMs), ended_ms = NULL, stop_reason = NULL, error_text = NULL, error_code = NULL WHERE id = @job`,
    ),
    /** A definition that was changed in the meantime is not seeded yet, and its next run is from the beginning. */
    seeded: store.statement<{ job: number; version: string; reseedMs: number | null; definitionVersion: number }>(
      `UPDATE job SET seeding_version = CASE definition_version WHEN @definitionVersion THEN @version END,
              seeded_version = @definitionVersion, reseed_ms = @reseedMs, fail_ms = NULL, fail_count = NULL WHERE id = @job`,
    ),
    /** Only these seeds were queued: if the next run must check from the beginning, that stays so. */
    seededAgain: store.statement<{ job: number; definitionVersion: number }>(
      `UPDATE job SET seeded_version = @definitionVersion WHERE id = @job`,
    ),
    /** Runs several times a second for a running job. */
    versions: store.statement<{ job: number }, { definition: number; seeded: number }>(
      `SELECT definition_version AS definition, seeded_version AS seeded FROM job WHERE id = @job`,
    ),
    reseedMs: store.statement<{ job: number }, { reseedMs: number | null }>(
      `SELECT reseed_ms AS reseedMs FROM job WHERE id = @job`,
    ),
    setReseed: store.statement<{ job: number; reseedMs: number }>(
      `UPDATE job SET reseed_ms = @reseedMs WHERE id = @job`,
    ),
    beginStretch: store.statement<{ job: number }>(
      `UPDATE job SET stretches = stretches + 1, error_text = NULL, error_code = NULL WHERE id = @job`,
    ),
    noteRunning: store.statement<{ job: number; runningMs: number }>(
      `UPDATE job SET running_ms = @runningMs WHERE id = @job`,
    ),
    /** Moves due times of queued and claimed documents by the change of the clock; after a kill, claimed ones are queued with
     *  the time they had. */
    moveDue: store.statement<{ byMs: number; nowMs: number }>(
      `UPDATE document SET due_ms = due_ms + @byMs WHERE (${isWaiting} OR ${isInProgress}) AND due_ms > @nowMs AND due_ms < ${neverMs}`,
    ),
    /** Moves the times until which hosts are in their delay, as shown to users. */
    moveReady: store.statement<{ byMs: number; nowMs: number }>(
      `UPDATE host SET ready_ms = ready_ms + @byMs WHERE ready_ms > @nowMs`,
    ),
    /** Extends series of failures by time in which no server could be tried. Uses document_failing. */
    moveGivingUp: store.statement<{ byMs: number }>(moveGivingUpSql),
    /** The latest time that was recorded, by the clock at that time. */
    latest: store.statement<object, { atMs: number }>(`SELECT latest_ms AS atMs FROM clock`),
    noteClock: store.statement<{ nowMs: number }>(`UPDATE clock SET latest_ms = @nowMs WHERE latest_ms < @nowMs`),
    clockIsRight: store.statement<{ nowMs: number }>(`UPDATE clock SET latest_ms = @nowMs`),
    /** Makes retries due whose wait is longer than any retry can be. */
    bringNearer: store.statement<{ job: number; nowMs: number; untilMs: number }>(
      `UPDATE document SET due_ms = @nowMs
       WHERE job_id = @job AND ${isWaiting} AND check_action IS NULL AND due_ms > @untilMs`,
    ),
    setStopReason: store.statement<{ job: number; stopReason: string }>(
      `UPDATE job SET stop_reason = @stopReason WHERE id = @job`,
    ),
    /** Records why the run is given up: shown when it has ended, whatever else is shown until then. */
    setFailure: store.statement<{ job: number; text: string }>(
      `UPDATE job SET failure_text = @text, error_text = @text, error_code = NULL WHERE id = @job`,
    ),
    /** Ends the run; its metadata file is still to be written. */
    leaveStoring: store.statement<{ job: number; nowMs: number; text: string | null }>(
      `UPDATE job SET is_described = 0, ended_ms = @nowMs, error_text = COALESCE(@text, failure_text), error_code = NULL WHERE id = @job`,
    ),
    described: store.statement<{ job: number }>(`UPDATE job SET is_described = 1 WHERE id = @job`),
    /** Uses job_to_describe. */
    undescribed: store.statement<object, { id: number }>(
      `SELECT id FROM job INDEXED BY job_to_describe WHERE is_described = 0 AND state = ${atRest} ORDER BY id`,
    ),
    endError: store.statement<{ job: number; text: string | null; code: FaultCode | null }>(
      `UPDATE job SET error_text = COALESCE(@text, failure_text), error_code = @code WHERE id = @job`,
    ),
    setError: store.statement<{ job: number; text: string | null; code: FaultCode | null }>(
      `UPDATE job SET error_text = @text, error_code = @code WHERE id = @job`,
    ),
    end: store.statement<{ job: number; nowMs: number }>(`UPDATE job SET ended_ms = @nowMs WHERE id = @job`),
    byStatus: store.statement<{ job: number }, { status: string; documents: number }>(
      `SELECT COALESCE(CAST(status AS TEXT), reason, 'file') AS status, COUNT(*) AS documents FROM document
       WHERE job_id = @job AND outcome IN ('fetched', 'failed') GROUP BY 1 ORDER BY documents DESC, 1`,
    ),
    byMediaType: store.statement<{ job: number }, { mediaType: string; documents: number; bytes: number }>(
      `SELECT COALESCE(media_type, 'not said') AS mediaType, COUNT(*) AS documents, SUM(bytes) AS bytes FROM document
       WHERE job_id = @job AND outcome = 'fetched' GROUP BY 1 ORDER BY documents DESC, 1 LIMIT ${rowsMax}`,
    ),
    byReason: store.statement<{ job: number }, { outcome: string; reason: string; documents: number }>(
      `SELECT outcome, reason, COUNT(*) AS documents FROM document
       WHERE job_id = @job AND reason IS NOT NULL GROUP BY 1, 2 ORDER BY documents DESC, 2`,
    ),
    byTruncation: store.statement<{ job: number }, { truncation: Truncation; documents: number }>(
      `SELECT truncation, SUM(documents) AS documents FROM (
         SELECT truncated AS truncation, COUNT(*) AS documents FROM document WHERE job_id = @job AND ${isTruncated} GROUP BY truncated
         UNION ALL SELECT reason, SUM(captures) FROM imported_truncation WHERE job_id = @job GROUP BY reason)
       GROUP BY truncation ORDER BY documents DESC, truncation`,
    ),
    /** Incomplete captures, in the order of the reasons. Uses document_truncated. */
    truncated: store.statement<
      { job: number; truncation: Truncation; after: number; limit: number },
      { id: number; url: string; status: number | null; contentBytes: number | null }
    >(
      `SELECT id, url, status, content_bytes AS contentBytes FROM document
       WHERE job_id = @job AND truncated = @truncation AND outcome = 'fetched' AND id > @after ORDER BY id LIMIT @limit`,
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
    byComparison: store.statement<{ job: number }, { comparison: Comparison; documents: number }>(
      `SELECT comparison, COUNT(*) AS documents FROM (
         SELECT comparison FROM document WHERE job_id = @job AND comparison IS NOT NULL AND outcome = 'fetched'
         UNION ALL
         SELECT 'gone' FROM removed_document JOIN job ON job.id = removed_document.job_id AND job.run = removed_document.run
         WHERE removed_document.job_id = @job AND why = 'answered') GROUP BY comparison ORDER BY comparison`,
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
    documentsTotal: store.statement<{ job: number; outcome: string | null; text: string | null }, { total: number }>(
      `SELECT COUNT(*) AS total FROM document WHERE ${chosen}`,
    ),
    exists: store.statement<{ job: number }, { id: number }>(`SELECT id FROM job WHERE id = @job`),
    deleted: store.statement<object, { job: number; name: string; deletedMs: number }>(
      `SELECT id AS job, name, deleted_ms AS deletedMs FROM deleted_job ORDER BY id DESC`,
    ),
    /** Imports that have ended. */
    imported: store.statement<object, { id: number }>(
      `SELECT job.id FROM job JOIN harvest ON harvest.id = job.harvest_id
       WHERE harvest.kind = 'import' AND job.ended_ms IS NOT NULL ORDER BY job.id DESC`,
    ),
    /** Uses the unique index of `document` once for each job. */
    capturedElsewhere: store.statement<{ key: Uint8Array; jobs: string; limit: number }, CapturedElsewhere>(
      `SELECT document.url, captured_ms AS timestampMs, capture.status, document.job_id AS job, harvest_file.name AS filename,
              capture.file_offset AS offset, 'response' AS recordType, capture.payload_digest AS payloadDigest
       FROM job CROSS JOIN document ON document.job_id = job.id AND document.url_key = @key
         JOIN capture ON capture.document_id = document.id JOIN harvest_file ON harvest_file.id = capture.file_id
       WHERE job.id NOT IN (SELECT value FROM json_each(@jobs)) ORDER BY captured_ms DESC LIMIT @limit`,
    ),
    /** Uses the unique index of (job_id, url_key). */
    knownUrl: store.statement<
      { job: number; key: Uint8Array },
      { outcome: string | null; reason: string | null; detail: string | null; isQueued: number }
    >(`SELECT outcome, reason, detail, ${isQueued} AS isQueued FROM document WHERE job_id = @job AND url_key = @key`),
  }
}
