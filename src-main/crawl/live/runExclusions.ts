/** Excludes queued documents of a running job because of a change that a user made to its queue. `exclusions.ts` does so when the
 *  user makes the change; here it is the run that finds them later. */
import type { Store } from '../../storage/storage.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import { noCounts } from '../frontier/counts.ts'
import type { ExclusionCause } from './exclusions.ts'
import type { LiveStatements } from './live.sql.ts'

/** The job that runs, and access to its queue. */
export interface RunExclusionsSetting {
  store: Store
  sql: LiveStatements
  job: number
}

/** Excludes documents of the job that wait; called inside a transaction. */
export type ExcludeWaiting = (rows: readonly { id: number }[], cause: ExclusionCause) => void

/** Prepares the exclusion of waiting documents. Their former outcomes in this run are subtracted from the counters of the job. */
export function waitingExcluder({ store, sql, job }: RunExclusionsSetting): ExcludeWaiting {
  const { count } = frontierStatements(store)
  return (rows, cause) => {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    const counts = { ...noCounts }
    for (const { outcome, documents } of sql.outcomes.all({ ids })) counts[outcome] -= documents
    counts.excluded += sql.spend.run({ ids, ...cause })
    count.run({ job, ...counts })
  }
}

/** Excludes the documents that a user deleted while the previous run had them in progress. */
export function excludeMarked({ store, sql, job }: RunExclusionsSetting, exclude: ExcludeWaiting): void {
  store.transaction(() => {
    for (const [detail, rows] of Map.groupBy(sql.markedWaiting.all({ job }), (row) => row.detail))
      exclude(rows, { reason: 'dropped', detail })
    sql.unmark.run({ job })
  })
}
