/** The status of a job as seen from outside. It is read many times per second, so it is one short query. */
import type { JobState } from '../contract/states/jobStates.ts'
import type { Store } from '../storage/storage.ts'

/** The status of a job. */
export interface JobStatus {
  state: JobState
  /** Whether a run has started. */
  started: boolean
  error: string | null
  /** Number of documents that wait for their first visit. */
  unseen: number
}

/** Returns a function that reads the current status. It throws when the job no longer exists. */
export function jobStatusOf(store: Store, job: number): () => JobStatus {
  const row = store.statement<{ job: number }, Omit<JobStatus, 'started'> & { startedMs: number | null }>(
    `SELECT state, error_text AS error, started_ms AS startedMs,
            (SELECT COUNT(*) FROM document WHERE job_id = job.id AND (state IN ('PENDING', 'ACTIVE', 'ACTIVENEEDRESCAN')
               -- Rejected by a rule that was removed since: they wait again.
               OR outcome IS NULL AND state IN ('PENDINGPURGATORY', 'ACTIVEPURGATORY', 'ACTIVENEEDRESCANPURGATORY'))) AS unseen
     FROM job WHERE id = @job`,
  )
  return () => {
    const found = row.get({ job })
    if (!found) throw new Error('the job has gone')
    const { startedMs, ...status } = found
    return { ...status, started: startedMs !== null }
  }
}
