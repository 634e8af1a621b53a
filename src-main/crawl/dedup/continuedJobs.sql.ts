/** Statements that find the jobs that a job continues: those that have ended, with all of their files in the archive. */
import type { Store } from '../../storage/storage.ts'
import { isAtRest } from '../model/jobs.sql.ts'

/** Jobs whose captures will stay: a job that is running, or whose files are not stored yet, may still lose some. */
const isStored = `${isAtRest} AND job.ended_ms IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM harvest_file WHERE harvest_file.job_id = job.id AND harvest_file.state <> 'STORED')`

/** Prepares the statements. */
export function continuedJobsStatements(store: Store) {
  return {
    definitionOf: store.statement<{ job: number }, { id: number | null }>(
      `SELECT harvest_outline.definition_id AS id FROM job JOIN harvest_outline ON harvest_outline.harvest_id = job.harvest_id
       WHERE job.id = @job`,
    ),
    /** Those of a JSON list of jobs that are stored. */
    stored: store.statement<{ jobs: string }, { id: number }>(
      `SELECT job.id FROM json_each(@jobs) JOIN job ON job.id = json_each.value WHERE ${isStored} ORDER BY job.id`,
    ),
    /** Other harvests that users started, the newest first, with their first seeds as JSON. */
    ofUsers: store.statement<{ job: number; before: number; limit: number }, { id: number; seeds: string }>(
      `SELECT job.id, seeds FROM job JOIN harvest ON harvest.id = job.harvest_id
         JOIN harvest_outline ON harvest_outline.harvest_id = job.harvest_id
       WHERE job.id <> @job AND job.id < @before AND harvest.kind = 'event' AND harvest_outline.definition_id IS NULL AND ${isStored}
       ORDER BY job.id DESC LIMIT @limit`,
    ),
  }
}
