/** SQL statements of the submission. */
import { jobStates } from '../../contract/states/jobStates.ts'
import type { Store } from '../../storage/storage.ts'

const isSubmittedOnly = `submitted_ms IS NOT NULL AND resubmitted_as IS NULL AND job.started_ms IS NULL AND job.state = '${jobStates.initial}'`

/** Prepares the statements. */
export function submissionStatements(store: Store) {
  return {
    /** The first new job of a channel. Uses generated_job_new. */
    next: store.statement<{ channel: string }, { job: number }>(
      `SELECT job_id AS job FROM generated_job INDEXED BY generated_job_new
       WHERE channel = @channel AND submitted_ms IS NULL AND is_ready = 1 ORDER BY job_id LIMIT 1`,
    ),
    submit: store.statement<{ job: number; nowMs: number }>(
      `UPDATE generated_job SET submitted_ms = @nowMs WHERE job_id = @job AND submitted_ms IS NULL`,
    ),
    /** Submitted jobs that no harvester has begun. */
    submitted: store.statement<object, { job: number; channel: string }>(
      `SELECT job_id AS job, channel FROM generated_job JOIN job ON job.id = job_id WHERE ${isSubmittedOnly} ORDER BY job_id`,
    ),
    isSubmitted: store.statement<{ job: number }, { job: number }>(
      `SELECT job_id AS job FROM generated_job JOIN job ON job.id = job_id WHERE job_id = @job AND ${isSubmittedOnly}`,
    ),
    /** Number of generated jobs that the engine works on. */
    running: store.statement<object, { jobs: number }>(
      `SELECT COUNT(*) AS jobs FROM job JOIN generated_job ON job_id = job.id WHERE job.state <> '${jobStates.initial}'`,
    ),
  }
}
