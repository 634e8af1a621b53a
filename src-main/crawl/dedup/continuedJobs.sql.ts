/** Statements that find the jobs that a job continues. Each returns jobs that have ended, with all of their files in the archive. */
import type { Store } from '../../storage/storage.ts'
import { isAtRest } from '../model/jobs.sql.ts'

/** Jobs whose captures will stay: a job that is running, or whose files are not stored yet, may still lose some. */
const isStored = `${isAtRest} AND job.ended_ms IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM harvest_file WHERE harvest_file.job_id = job.id AND harvest_file.state <> 'STORED')`

/** The harvest definitions that a snapshot continues, each with the one it continues in turn. */
const chain = `chain (id) AS (
  SELECT @definition UNION SELECT previous_id FROM harvest_definition JOIN chain USING (id) WHERE previous_id IS NOT NULL)`

/** Prepares the statements. */
export function continuedJobsStatements(store: Store) {
  return {
    generated: store.statement<{ job: number }, { definition: number; run: number; kind: string }>(
      `SELECT definition_id AS definition, run, kind FROM generated_job JOIN harvest_definition ON harvest_definition.id = definition_id
       WHERE job_id = @job`,
    ),
    /** Uses generated_job_by_definition. The jobs of the run before this one. */
    ofRunBefore: store.statement<{ definition: number; run: number; limit: number }, { id: number }>(
      `SELECT job.id FROM generated_job JOIN job ON job.id = generated_job.job_id
       WHERE definition_id = @definition
         AND generated_job.run = (SELECT MAX(run) FROM generated_job WHERE definition_id = @definition AND run < @run) AND ${isStored}
       ORDER BY job.id DESC LIMIT @limit`,
    ),
    /** The jobs of the snapshots that a snapshot continues, and of the newest one before them. */
    ofSnapshotsBefore: store.statement<{ definition: number; limit: number }, { id: number }>(
      `WITH RECURSIVE ${chain},
         older (id) AS (
           SELECT MAX(id) FROM harvest_definition WHERE kind = 'snapshot' AND id < (SELECT MIN(id) FROM chain)
           UNION SELECT previous_id FROM harvest_definition JOIN older USING (id) WHERE previous_id IS NOT NULL)
       SELECT job.id FROM generated_job JOIN job ON job.id = generated_job.job_id
       WHERE definition_id IN (SELECT id FROM chain WHERE id <> @definition UNION SELECT id FROM older WHERE id IS NOT NULL) AND ${isStored}
       ORDER BY job.id DESC LIMIT @limit`,
    ),
    /** Other harvests that users started, the newest first, with their first seeds as JSON. */
    ofUsers: store.statement<{ job: number; limit: number }, { id: number; seeds: string }>(
      `SELECT job.id, seeds FROM job JOIN harvest ON harvest.id = job.harvest_id
         JOIN harvest_outline ON harvest_outline.harvest_id = job.harvest_id
       WHERE job.id <> @job AND harvest.kind = 'event' AND harvest_outline.definition_id IS NULL AND ${isStored}
       ORDER BY job.id DESC LIMIT @limit`,
    ),
  }
}
