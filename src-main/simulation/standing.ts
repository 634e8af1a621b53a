/** How a job stands, as a person sees it from outside: asked many times a second, so it is one short question. */
import type { JobState } from '../contract/states/jobStates.ts'
import type { Store } from '../storage/storage.ts'

export interface Standing {
  state: JobState
  /** It has run once, or runs. */
  started: boolean
  error: string | null
  /** Documents that it has never looked at, and is to. */
  unseen: number
}

export function standingsOf(store: Store, job: number): () => Standing {
  const row = store.statement<{ job: number }, Omit<Standing, 'started'> & { startedMs: number | null }>(
    `SELECT state, error_text AS error, started_ms AS startedMs,
            (SELECT COUNT(*) FROM document WHERE job_id = job.id AND (state IN ('PENDING', 'ACTIVE', 'ACTIVENEEDRESCAN')
               -- What a rule had rejected, and waits again since that was taken back.
               OR outcome IS NULL AND state IN ('PENDINGPURGATORY', 'ACTIVEPURGATORY', 'ACTIVENEEDRESCANPURGATORY'))) AS unseen
     FROM job WHERE id = @job`,
  )
  return () => {
    const found = row.get({ job })
    if (!found) throw new Error('the job has gone')
    const { startedMs, ...standing } = found
    return { ...standing, started: startedMs !== null }
  }
}
