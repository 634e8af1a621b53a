/** The history: a record of the harvester's activities. Each is written in the same transaction as the change that it records,
 *  so that neither is stored without the other. The other modules of this folder make reports of it. */
import { activityNumbers, type ActivityKind } from '../../contract/services/history.ts'
import type { Store } from '../../storage/storage.ts'

/** One activity. */
export interface Activity {
  kind: ActivityKind
  job: number
  startMs: number
  durationMs: number
  /** The URL of a document, or a job such as `job 3`. */
  identifier: string
  /** An HTTP status, or a name from a fixed set (contract/states/outcomes, a stop reason); never text that a server sent. */
  result: string
  bytes?: number | null
  /** Explanation for the user. */
  description?: string | null
}

/** Returns a function that adds an activity. It keeps no state between calls, so rolling back a transaction undoes it completely. */
export function historyWriter(store: Store): (activity: Activity) => void {
  const addResult = store.statement<{ result: string }>(
    `INSERT INTO activity_result (text) VALUES (@result) ON CONFLICT DO NOTHING`,
  )
  /** Adds nothing if the result is not in `activity_result` yet. */
  const add = store.statement<{
    kind: number
    job: number
    startMs: number
    durationMs: number
    identifier: string
    result: string
    bytes: number | null
    description: string | null
  }>(
    `INSERT INTO activity (kind, job_id, start_ms, duration_ms, result_id, bytes, identifier, description)
     SELECT @kind, @job, @startMs, @durationMs, id, @bytes, @identifier, @description FROM activity_result WHERE text = @result`,
  )
  return ({ kind, bytes = null, description = null, ...rest }) => {
    const row = { ...rest, kind: activityNumbers[kind], bytes, description }
    if (add.run(row) === 1) return
    addResult.run({ result: row.result })
    add.run(row)
  }
}

/** The identifier of a job's activities. */
export function jobIdentifier(job: number): string {
  return `job ${job}`
}

/** A request that a server may have received. If it was aborted, `bytes` covers only the part that was received. */
export type Attempt = Omit<Activity, 'job'>
