/** SQL statements about jobs as a whole: adding, finding and listing them. Their runs are in `runs.sql.ts`, their documents in
 *  `jobDocuments.sql.ts`. */
import { jobStates, type JobState } from '../../contract/states/jobStates.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'
import { isIncomplete } from './documentSets.ts'

/** A job with the numbers of its current or last run. */
export interface JobRow {
  id: number
  /** Number of the harvest in metadata: that of the definition that generated the job, or the job's own. */
  harvest: number
  /** The harvest definition that generated the job; null: a user started it. */
  definitionId: number | null
  name: string
  kind: 'event' | 'import'
  /** JSON: the first seeds. The whole definition, which may have 100,000, is read by `definition`. */
  seeds: string
  /** JSON, as in the definition; null: the usual ones. */
  connectors: string | null
  /** JSON, as in the definition; null: none. */
  throttle: string | null
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
  /** Number of segments of this run: one begins at its start, after each pause and after each kill. */
  segments: number
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

/** A job that is not INACTIVE. */
export interface RunningJob {
  id: number
  state: JobState
}

/** Name of the setup record with the jobs whose captures a job does not store again (NetarchiveSuite). */
export const duplicateReductionJobs = 'duplicatereductionjobs'

/** Makes that record. */
export function duplicateReductionRecord(jobs: readonly number[]): SetupRecord {
  return { name: duplicateReductionJobs, contentType: 'text/plain', text: jobs.join(',') }
}

/** Condition of the state of a job without a run. */
export const isAtRest = stateIn([jobStates.initial], 'job.state')
/** Condition of the state of every other job. */
const isRunning = `NOT ${isAtRest}`

const hasFindings = `job_id = job.id AND errors + warnings + notes > 0`
/** Lists of jobs are requested often: these use document_truncated, the key of imported_truncation, imported_file_by_state and
 *  imported_file_findings. */
const findingColumns = `
  (SELECT COUNT(*) FROM document WHERE job_id = job.id AND ${isIncomplete})
    + (SELECT COALESCE(SUM(captures), 0) FROM imported_truncation WHERE job_id = job.id) AS truncated,
  (SELECT COUNT(*) FROM imported_file WHERE job_id = job.id AND state = 'REJECTED') AS filesRefused,
  (SELECT COUNT(*) FROM imported_file WHERE ${hasFindings} AND errors > 0) AS filesWithErrors,
  (SELECT COALESCE(SUM(errors), 0) FROM imported_file WHERE ${hasFindings}) AS errors,
  (SELECT COALESCE(SUM(warnings), 0) FROM imported_file WHERE ${hasFindings}) AS warnings,
  (SELECT COALESCE(SUM(notes), 0) FROM imported_file WHERE ${hasFindings}) AS notes`

/** Limits of a run for one registered domain; null: unlimited. */
export interface DomainLimit {
  domain: string
  objectsMax: number | null
  bytesMax: number | null
}

/** A further record of a job's metadata file. */
export interface SetupRecord {
  /** Last part of its URL, `metadata://loupe/crawl/setup/NAME?…`. */
  name: string
  contentType: string
  text: string
}

const jobColumns = `
  job.id, COALESCE(harvest_outline.definition_id, harvest.id) AS harvest, harvest_outline.definition_id AS definitionId, harvest.name, harvest.kind,
  harvest_outline.seeds, harvest_outline.connectors, harvest_outline.throttle, job.schedule, job.state, job.stop_reason AS stopReason,
  job.error_text AS errorText, job.error_code AS errorCode, job.failure_text AS failureText,
  job.created_ms AS createdMs, job.started_ms AS startedMs, job.ended_ms AS endedMs,
  job.running_ms AS runningMs, job.segments, job.priority, job.documents_total AS total, job.documents_queued AS queued,
  job.documents_fetched AS fetched, job.documents_failed AS failed, job.documents_excluded AS excluded,
  job.documents_duplicate AS duplicate, job.bytes, job.run, job.run_id AS runId, job.log_before_id AS logBefore, job.seeding_version AS seedingVersion,
  job.definition_version AS definitionVersion, job.seeded_version AS seededVersion,
  job.is_described AS isDescribed,
  EXISTS (SELECT 1 FROM imported_file WHERE imported_file.job_id = job.id AND imported_file.state = 'ARCHIVED')
    AND NOT EXISTS (SELECT 1 FROM imported_file WHERE imported_file.job_id = job.id AND imported_file.state = 'REJECTED') AS isKnown,
  ${findingColumns}`

const jobTables = `job JOIN harvest ON harvest.id = job.harvest_id JOIN harvest_outline ON harvest_outline.harvest_id = harvest.id`

/** Prepares the statements that add a harvest with its job, or change its definition. */
export function newJobStatements(store: Store) {
  return {
    /** Harvest definitions have numbers of the same sequence: both are harvest numbers in metadata files. */
    addHarvest: store.statement<
      { name: string; kind: string; definition: string; definitionId: number | null; nowMs: number },
      { id: number }
    >(
      `INSERT INTO harvest (id, name, kind, definition, definition_id, created_ms)
       SELECT 1 + MAX(COALESCE((SELECT MAX(id) FROM harvest), 0), COALESCE((SELECT MAX(id) FROM harvest_definition), 0)),
              @name, @kind, @definition, @definitionId, @nowMs
       RETURNING id`,
    ),
    /** File names contain the number, so it must be one that no job has had and that no file name contains. */
    addJob: store.statement<{ harvest: number; state: string; nowMs: number; runId: string }, { id: number }>(
      `INSERT INTO job (id, harvest_id, state, created_ms, run_id)
       SELECT MAX(1 + COALESCE((SELECT MAX(id) FROM job), 0), 1 + COALESCE((SELECT MAX(id) FROM deleted_job), 0),
                  (SELECT job_number_min FROM database_state)), @harvest, @state, @nowMs, @runId
       RETURNING id`,
    ),
    setPriority: store.statement<{ job: number; priority: number }>(
      `UPDATE job SET priority = @priority WHERE id = @job`,
    ),
    addBudget: store.statement<{ job: number } & DomainLimit>(
      `INSERT INTO domain_budget (job_id, domain, objects_max, bytes_max) VALUES (@job, @domain, @objectsMax, @bytesMax)`,
    ),
    addSetupRecord: store.statement<{ job: number } & SetupRecord>(
      `INSERT INTO job_setup_record (job_id, name, content_type, text) VALUES (@job, @name, @contentType, @text)`,
    ),
    addImport: store.statement<{ job: number; path: string }>(
      `INSERT INTO import_file (job_id, path) VALUES (@job, @path) ON CONFLICT DO NOTHING`,
    ),
    setDefinition: store.statement<{ harvest: number; definition: string }>(
      `UPDATE harvest SET definition = @definition WHERE id = @harvest`,
    ),
  }
}

/** Prepares the statements that find and list jobs. */
export function jobStatements(store: Store) {
  return {
    one: store.statement<{ job: number }, JobRow>(`SELECT ${jobColumns} FROM ${jobTables} WHERE job.id = @job`),
    all: store.statement<object, JobRow>(`SELECT ${jobColumns} FROM ${jobTables} ORDER BY job.id DESC`),
    /** The definition of a job, and its part about connectors; JSON. */
    definition: store.statement<{ job: number }, { definition: string; connectors: string | null }>(
      `SELECT harvest.definition, harvest_outline.connectors
       FROM harvest JOIN harvest_outline ON harvest_outline.harvest_id = harvest.id
       WHERE harvest.id = (SELECT harvest_id FROM job WHERE id = @job)`,
    ),
    running: store.statement<object, RunningJob>(`SELECT id, state FROM job WHERE ${isRunning} ORDER BY id`),
    exists: store.statement<{ job: number }, { id: number }>(`SELECT id FROM job WHERE id = @job`),
    deleted: store.statement<object, { job: number; name: string; deletedMs: number }>(
      `SELECT id AS job, name, deleted_ms AS deletedMs FROM deleted_job ORDER BY id DESC`,
    ),
    /** Imports that have ended. */
    imported: store.statement<object, { id: number }>(
      `SELECT job.id FROM job JOIN harvest ON harvest.id = job.harvest_id
       WHERE harvest.kind = 'import' AND job.ended_ms IS NOT NULL ORDER BY job.id DESC`,
    ),
    importing: store.statement<object, { path: string }>(
      `SELECT path FROM import_file JOIN job ON job.id = job_id WHERE ${isRunning}`,
    ),
    importsOf: store.statement<{ job: number }, { path: string }>(
      `SELECT path FROM import_file WHERE job_id = @job ORDER BY path`,
    ),
    setupRecords: store.statement<{ job: number }, SetupRecord>(
      `SELECT name, content_type AS contentType, text FROM job_setup_record WHERE job_id = @job ORDER BY name`,
    ),
    /** Counts the files of ended runs that wait in the job's folder because they are not in every replica. */
    unstored: store.statement<{ job: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM harvest_file WHERE job_id = @job AND state <> 'STORED'`,
    ),
  }
}
