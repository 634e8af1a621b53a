/** What the harvester did, written down in the transaction of what it tells: either both are there or neither. What is made of
 *  it are the reports beside this file. */
import { activityNumbers, type ActivityKind } from '../../contract/services/history.ts'
import type { Store } from '../../storage/storage.ts'

export interface Activity {
  kind: ActivityKind
  job: number
  startMs: number
  durationMs: number
  /** The address of a document; `job 3`. */
  identifier: string
  /** An HTTP status, or a name out of a table (contract/outcomes, a stop reason): never anything that a server made up. */
  result: string
  bytes?: number | null
  /** For a person. */
  description?: string | null
}

/** Adds to the history. Nothing is remembered between two calls: a transaction that is rolled back takes all of it along. */
export function historyWriter(store: Store): (activity: Activity) => void {
  const addResult = store.statement<{ result: string }>(
    `INSERT INTO activity_result (text) VALUES (@result) ON CONFLICT DO NOTHING`,
  )
  /** Adds nothing while the result is not known. */
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

export function jobIdentifier(job: number): string {
  return `job ${job}`
}

/** A request that a server may have seen, including one that was aborted; of that one only the received part is known. */
export type Attempt = Omit<Activity, 'job'>
