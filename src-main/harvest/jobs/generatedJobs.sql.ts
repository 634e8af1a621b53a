/** SQL statements about generated jobs. */
import type { GeneratedStatus } from '../../contract/states/generatedStatuses.ts'
import type { Store } from '../../storage/storage.ts'
import { statusExpression } from './status.sql.ts'

/** A generated job with what the crawl knows about it. */
export interface GeneratedJobDbRow {
  job: number
  harvest: number
  harvestName: string
  run: number
  status: GeneratedStatus
  channel: string
  template: string
  templateVersion: number
  objectsMax: number | null
  bytesMax: number | null
  configurations: number
  objectsExpected: number
  objects: number
  bytes: number
  errorText: string | null
  unstored: number
  closedBecause: string | null
  resubmittedAs: number | null
  continuationOf: number | null
  createdMs: number
  submittedMs: number | null
  startedMs: number | null
  endedMs: number | null
}

/** Filters of the list; null: any. */
export interface GeneratedJobFilter {
  status: GeneratedStatus | null
  harvest: number | null
  run: number | null
  domain: string | null
  from: number | null
  to: number | null
}

const source = `generated_job JOIN job ON job.id = generated_job.job_id
  JOIN harvest_definition ON harvest_definition.id = generated_job.definition_id`
const columns = `generated_job.job_id AS job, generated_job.definition_id AS harvest, harvest_definition.name AS harvestName,
  generated_job.run, ${statusExpression} AS status, generated_job.channel, template_name AS template, template_version AS templateVersion,
  generated_job.objects_max AS objectsMax, generated_job.bytes_max AS bytesMax,
  (SELECT COUNT(*) FROM generated_configuration WHERE generated_configuration.job_id = generated_job.job_id) AS configurations,
  objects_expected AS objectsExpected, job.documents_fetched AS objects, job.bytes, job.error_text AS errorText,
  (SELECT COUNT(*) FROM harvest_file WHERE harvest_file.job_id = job.id AND harvest_file.state <> 'STORED') AS unstored,
  closed_because AS closedBecause, resubmitted_as AS resubmittedAs, continuation_of AS continuationOf, job.created_ms AS createdMs,
  submitted_ms AS submittedMs, job.started_ms AS startedMs, job.ended_ms AS endedMs`
const filters = `generated_job.is_ready = 1
  AND (@harvest IS NULL OR generated_job.definition_id = @harvest) AND (@run IS NULL OR generated_job.run = @run)
  AND (@from IS NULL OR generated_job.job_id >= @from) AND (@to IS NULL OR generated_job.job_id <= @to)
  AND (@domain IS NULL OR EXISTS (SELECT 1 FROM generated_configuration
    WHERE generated_configuration.domain = @domain AND generated_configuration.job_id = generated_job.job_id))
  AND (@status IS NULL OR ${statusExpression} = @status)`

/** Prepares the statements that read generated jobs. */
export function generatedJobStatements(store: Store) {
  return {
    list: store.statement<GeneratedJobFilter & { offset: number; limit: number }, GeneratedJobDbRow>(
      `SELECT ${columns} FROM ${source} WHERE ${filters} ORDER BY generated_job.job_id DESC LIMIT @limit OFFSET @offset`,
    ),
    total: store.statement<GeneratedJobFilter, { total: number }>(
      `SELECT COUNT(*) AS total FROM ${source} WHERE ${filters}`,
    ),
    one: store.statement<{ job: number }, GeneratedJobDbRow>(
      `SELECT ${columns} FROM ${source} WHERE generated_job.job_id = @job`,
    ),
    configurations: store.statement<
      { job: number; offset: number; limit: number },
      { domain: string; configuration: string; objectsExpected: number; estimate: string }
    >(
      `SELECT domain, name AS configuration, objects_expected AS objectsExpected, estimate FROM generated_configuration
       WHERE job_id = @job ORDER BY position LIMIT @limit OFFSET @offset`,
    ),
    /** The newest lines of the log that report a problem, newest first. */
    problems: store.statement<{ job: number; limit: number }, { atMs: number; message: string }>(
      `SELECT at_ms AS atMs, message FROM job_event WHERE job_id = @job AND level <> 'info' ORDER BY id DESC LIMIT @limit`,
    ),
    reject: store.statement<{ job: number; nowMs: number | null }>(
      `UPDATE generated_job SET rejected_ms = @nowMs WHERE job_id = @job`,
    ),
    /** What a repetition of the job is made from. */
    origin: store.statement<{ job: number }, { name: string; definition: string; priority: number }>(
      `SELECT harvest.name, harvest.definition, job.priority FROM job JOIN harvest ON harvest.id = job.harvest_id WHERE job.id = @job`,
    ),
    limitsOf: store.statement<{ job: number }, { domain: string; objectsMax: number | null; bytesMax: number | null }>(
      `SELECT domain, objects_max AS objectsMax, bytes_max AS bytesMax FROM domain_budget WHERE job_id = @job`,
    ),
    repeat: store.statement<{ job: number; from: number; continuationOf: number | null }>(
      `INSERT INTO generated_job (job_id, definition_id, run, channel, template_id, template_name, template_version, objects_max, bytes_max,
         objects_expected, closed_because, is_ready, continuation_of)
       SELECT @job, definition_id, run, channel, template_id, template_name, template_version, objects_max, bytes_max,
         objects_expected, closed_because, 1, @continuationOf FROM generated_job WHERE job_id = @from`,
    ),
    repeatConfigurations: store.statement<{ job: number; from: number }>(
      `INSERT INTO generated_configuration (job_id, position, configuration_id, domain, name, objects_expected, estimate)
       SELECT @job, position, configuration_id, domain, name, objects_expected, estimate FROM generated_configuration WHERE job_id = @from`,
    ),
    setResubmitted: store.statement<{ job: number; as: number }>(
      `UPDATE generated_job SET resubmitted_as = @as WHERE job_id = @job`,
    ),
  }
}
