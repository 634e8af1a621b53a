/** SQL statements that store the jobs of a run. */
import type { Store } from '../../storage/storage.ts'

/** A generated job without its configurations. */
export interface GeneratedColumns {
  job: number
  definition: number
  run: number
  channel: string
  templateId: number
  templateName: string
  templateVersion: number
  objectsMax: number | null
  bytesMax: number | null
  objectsExpected: number
  closedBecause: string | null
}

/** Prepares the statements. */
export function generationStatements(store: Store) {
  return {
    addJob: store.statement<GeneratedColumns>(
      `INSERT INTO generated_job (job_id, definition_id, run, channel, template_id, template_name, template_version, objects_max,
         bytes_max, objects_expected, closed_because)
       VALUES (@job, @definition, @run, @channel, @templateId, @templateName, @templateVersion, @objectsMax, @bytesMax,
         @objectsExpected, @closedBecause)`,
    ),
    addConfiguration: store.statement<{
      job: number
      position: number
      configuration: number
      domain: string
      name: string
      objectsExpected: number
      estimate: string
    }>(
      `INSERT INTO generated_configuration (job_id, position, configuration_id, domain, name, objects_expected, estimate)
       VALUES (@job, @position, @configuration, @domain, @name, @objectsExpected, @estimate)`,
    ),
    setReady: store.statement<{ definition: number; run: number }>(
      `UPDATE generated_job SET is_ready = 1 WHERE definition_id = @definition AND run = @run AND is_ready = 0`,
    ),
    /** Jobs of generations that were not completed. */
    incomplete: store.statement<{ definition: number | null }, { job: number; harvest: number }>(
      `SELECT job_id AS job, harvest_id AS harvest FROM generated_job JOIN job ON job.id = job_id
       WHERE is_ready = 0 AND (@definition IS NULL OR definition_id = @definition)`,
    ),
    removeJob: store.statement<{ job: number }>(`DELETE FROM job WHERE id = @job`),
    removeHarvest: store.statement<{ harvest: number }>(`DELETE FROM harvest WHERE id = @harvest`),
  }
}
