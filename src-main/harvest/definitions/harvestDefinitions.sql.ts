/** SQL statements about harvest definitions. */
import type { HarvestKind } from '../../contract/services/harvestDefinitions.ts'
import type { GeneratedStatus } from '../../contract/states/generatedStatuses.ts'
import type { Store } from '../../storage/storage.ts'
import { statusExpression } from '../jobs/status.sql.ts'

/** A stored harvest definition. */
export interface HarvestDefinitionDbRow {
  id: number
  name: string
  kind: HarvestKind
  isActive: number
  comments: string
  audience: string
  /** Name and timing of its schedule; null: it has none. */
  schedule: string | null
  timing: string | null
  objectsMax: number | null
  bytesMax: number | null
  secondsMax: number | null
  previousId: number | null
  previous: string | null
  channel: string
  priority: number
  fields: string
  configurations: number
  runs: number
  nextRunMs: number | null
  failure: string | null
  createdMs: number
}

/** The columns that a user gives. */
export interface HarvestColumns {
  name: string
  kind: HarvestKind
  comments: string
  audience: string
  scheduleId: number | null
  objectsMax: number | null
  bytesMax: number | null
  secondsMax: number | null
  previousId: number | null
  channel: string
  priority: number
  fields: string
}

const columns = `harvest_definition.id, harvest_definition.name, harvest_definition.kind, harvest_definition.is_active AS isActive,
  harvest_definition.comments, harvest_definition.audience, harvest_schedule.name AS schedule, harvest_schedule.timing,
  harvest_definition.objects_max AS objectsMax, harvest_definition.bytes_max AS bytesMax, harvest_definition.seconds_max AS secondsMax,
  harvest_definition.previous_id AS previousId,
  (SELECT name FROM harvest_definition AS previous WHERE previous.id = harvest_definition.previous_id) AS previous,
  harvest_definition.channel, harvest_definition.priority, harvest_definition.fields,
  CASE harvest_definition.kind WHEN 'snapshot' THEN (SELECT COUNT(*) FROM domain WHERE alias_of IS NULL)
    ELSE (SELECT COUNT(*) FROM harvest_configuration WHERE definition_id = harvest_definition.id) END AS configurations,
  harvest_definition.runs, harvest_definition.next_run_ms AS nextRunMs, harvest_definition.failure,
  harvest_definition.created_ms AS createdMs
  FROM harvest_definition LEFT JOIN harvest_schedule ON harvest_schedule.id = harvest_definition.schedule_id`

/** Prepares the statements that read harvests. */
export function harvestReadStatements(store: Store) {
  return {
    all: store.statement<object, HarvestDefinitionDbRow>(`SELECT ${columns} ORDER BY harvest_definition.id DESC`),
    byId: store.statement<{ id: number }, HarvestDefinitionDbRow>(
      `SELECT ${columns} WHERE harvest_definition.id = @id`,
    ),
    idOf: store.statement<{ name: string }, { id: number; kind: HarvestKind }>(
      `SELECT id, kind FROM harvest_definition WHERE name = @name`,
    ),
    /** Active harvests whose next run is due, the most overdue first. Uses harvest_definition_by_next_run. */
    due: store.statement<{ nowMs: number }, { id: number }>(
      `SELECT id FROM harvest_definition WHERE is_active AND next_run_ms IS NOT NULL AND next_run_ms <= @nowMs ORDER BY next_run_ms`,
    ),
    /** Active harvests whose next run is not due yet. Uses harvest_definition_by_next_run. */
    planned: store.statement<{ nowMs: number }, { id: number; timing: string | null; nextRunMs: number }>(
      `SELECT harvest_definition.id, timing, next_run_ms AS nextRunMs FROM harvest_definition
       LEFT JOIN harvest_schedule ON harvest_schedule.id = schedule_id WHERE is_active AND next_run_ms > @nowMs`,
    ),
    configurations: store.statement<
      { id: number; offset: number; limit: number },
      { domain: string; configuration: string }
    >(
      `SELECT domain.name AS domain, configuration.name AS configuration FROM harvest_configuration
       JOIN configuration ON configuration.id = configuration_id JOIN domain ON domain.id = configuration.domain_id
       WHERE definition_id = @id ORDER BY domain.name, configuration.name LIMIT @limit OFFSET @offset`,
    ),
    jobsByStatus: store.statement<{ id: number }, { status: GeneratedStatus; jobs: number }>(
      `SELECT ${statusExpression} AS status, COUNT(*) AS jobs FROM generated_job JOIN job ON job.id = generated_job.job_id
       WHERE generated_job.definition_id = @id GROUP BY 1`,
    ),
    runs: store.statement<{ id: number; offset: number; limit: number }, HarvestRunDbRow>(
      `SELECT generated_job.run, MIN(job.created_ms) AS generatedMs,
              SUM((SELECT COUNT(*) FROM generated_configuration WHERE generated_configuration.job_id = generated_job.job_id)) AS configurations,
              SUM(objects_expected) AS objectsExpected, SUM(job.documents_fetched) AS objects, SUM(job.bytes) AS bytes,
              CASE WHEN COUNT(job.ended_ms) = COUNT(*) THEN MAX(job.ended_ms) END AS endedMs
       FROM generated_job JOIN job ON job.id = generated_job.job_id
       WHERE generated_job.definition_id = @id AND generated_job.is_ready = 1
       GROUP BY generated_job.run ORDER BY generated_job.run DESC LIMIT @limit OFFSET @offset`,
    ),
    runJobs: store.statement<{ id: number; run: number }, { status: GeneratedStatus; jobs: number }>(
      `SELECT ${statusExpression} AS status, COUNT(*) AS jobs FROM generated_job JOIN job ON job.id = generated_job.job_id
       WHERE generated_job.definition_id = @id AND generated_job.run = @run GROUP BY 1`,
    ),
  }
}

/** One generation of a harvest. */
export interface HarvestRunDbRow {
  run: number
  generatedMs: number
  configurations: number
  objectsExpected: number
  objects: number
  bytes: number
  endedMs: number | null
}

const setters = `name = @name, kind = @kind, comments = @comments, audience = @audience, schedule_id = @scheduleId, objects_max = @objectsMax,
  bytes_max = @bytesMax, seconds_max = @secondsMax, previous_id = @previousId, channel = @channel, priority = @priority, fields = @fields`

/** Prepares the statements that change harvests. */
export function harvestWriteStatements(store: Store) {
  return {
    add: store.statement<HarvestColumns & { nowMs: number }, { id: number }>(
      `INSERT INTO harvest_definition (id, name, kind, comments, audience, schedule_id, objects_max, bytes_max, seconds_max, previous_id,
         channel, priority, fields, created_ms)
       SELECT 1 + MAX(COALESCE((SELECT MAX(id) FROM harvest), 0), COALESCE((SELECT MAX(id) FROM harvest_definition), 0)),
         @name, @kind, @comments, @audience, @scheduleId, @objectsMax, @bytesMax, @secondsMax, @previousId, @channel, @priority, @fields, @nowMs
       RETURNING id`,
    ),
    edit: store.statement<HarvestColumns & { id: number }>(`UPDATE harvest_definition SET ${setters} WHERE id = @id`),
    remove: store.statement<{ id: number }>(`DELETE FROM harvest_definition WHERE id = @id`),
    activate: store.statement<{ id: number; nextMs: number | null }>(
      `UPDATE harvest_definition SET is_active = 1, next_run_ms = @nextMs, failure = NULL WHERE id = @id`,
    ),
    deactivate: store.statement<{ id: number; failure: string | null }>(
      `UPDATE harvest_definition SET is_active = 0, next_run_ms = NULL, failure = @failure WHERE id = @id`,
    ),
    plan: store.statement<{ id: number; nextMs: number | null }>(
      `UPDATE harvest_definition SET next_run_ms = @nextMs WHERE id = @id`,
    ),
    countRun: store.statement<{ id: number; nextMs: number | null }>(
      `UPDATE harvest_definition SET runs = runs + 1, next_run_ms = @nextMs, failure = NULL WHERE id = @id`,
    ),
    dropConfigurations: store.statement<{ id: number }>(`DELETE FROM harvest_configuration WHERE definition_id = @id`),
    addConfiguration: store.statement<{ id: number; domain: string; configuration: string }>(
      `INSERT INTO harvest_configuration (definition_id, configuration_id)
       SELECT @id, configuration.id FROM configuration JOIN domain ON domain.id = configuration.domain_id
       WHERE domain.name = @domain AND configuration.name = @configuration ON CONFLICT DO NOTHING`,
    ),
    /** The priority of the harvest applies to its jobs in any state. */
    setJobPriority: store.statement<{ id: number; priority: number }>(
      `UPDATE job SET priority = @priority, live_version = live_version + 1
       WHERE priority <> @priority AND id IN (SELECT job_id FROM generated_job WHERE definition_id = @id)`,
    ),
  }
}
