/** Marks seeds that the list already knows; at the end of a seeding, documents that were not named stop being seeds. Runs in
 *  the transaction of the seeding, after the frontier's `discover`, which adds new ones. */
import { hash } from 'node:crypto'
import { documentStates } from '../../contract/states/documentStates.ts'
import { moveSql } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { noCounts, type Counts } from '../frontier/counts.ts'

function statements(store: Store) {
  const again = moveSql(documentStates, 'seededAgain')
  return {
    mark: store.statement<{ job: number; key: Uint8Array }>(
      `UPDATE document SET seed_mark = 'N' WHERE job_id = @job AND url_key = @key`,
    ),
    /** The outcome of the document in this run, if it has one. */
    outcome: store.statement<{ job: number; key: Uint8Array }, { outcome: 'fetched' | 'failed' | 'excluded' | null }>(
      `SELECT outcome FROM document WHERE job_id = @job AND url_key = @key`,
    ),
    /** URLs that a user deleted from the queue of this run stay out of it. */
    again: store.statement<{ job: number; key: Uint8Array }>(
      `UPDATE document SET ${again.set}, outcome = NULL, reason = NULL, detail = NULL, due_ms = 0, check_action = 'rescan',
              attempts = 0, fail_ms = NULL, fail_count = NULL, needs_priority = 1
       WHERE job_id = @job AND url_key = @key AND ${again.from} AND NOT (outcome IS 'excluded' AND reason IS 'dropped')`,
    ),
    /** A start by a user or a schedule makes the seeds due now; the seeding of a continuous job leaves their due times
     *  unchanged. */
    sooner: store.statement<{ job: number; key: Uint8Array; nowMs: number }>(
      `UPDATE document SET due_ms = @nowMs WHERE job_id = @job AND url_key = @key AND state = 'PENDING' AND due_ms > @nowMs`,
    ),
    forget: store.statement<{ job: number }>(
      `UPDATE document SET seed_mark = 'F' WHERE job_id = @job AND seed_mark = 'S'`,
    ),
    settle: store.statement<{ job: number }>(
      `UPDATE document SET seed_mark = 'S' WHERE job_id = @job AND seed_mark = 'N'`,
    ),
  }
}

/** How known seeds are treated. */
export interface Seeding {
  job: number
  nowMs: number
  /** Queued documents with a later due time become due now. */
  overridesSchedule: boolean
  /** Documents that were already processed are checked again. */
  areKnownDue: boolean
}

/** Marks seeds. Returns how many documents of the list wait again, and the change of the counters: a document with an outcome
 *  in this run is already counted in it. */
export function markSeeds(
  store: Store,
  urls: readonly string[],
  { job, nowMs, overridesSchedule, areKnownDue }: Seeding,
): { again: number; counts: Counts } {
  const sql = statements(store)
  const counts = { ...noCounts }
  let again = 0
  for (const url of urls) {
    const seed = { job, key: hash('sha256', url, 'buffer') }
    sql.mark.run(seed)
    const outcome = areKnownDue ? (sql.outcome.get(seed)?.outcome ?? null) : null
    const isAgain = areKnownDue && sql.again.run(seed) === 1
    if (isAgain) again += 1
    if (isAgain) counts[outcome ?? 'total'] += outcome === null ? 1 : -1
    if (overridesSchedule) sql.sooner.run({ ...seed, nowMs })
  }
  return { again, counts }
}

/** Ends a seeding. `isPartial`: only some of the seeds were named, so the others stay seeds. */
export function settleSeeds(store: Store, { job, isPartial }: { job: number; isPartial: boolean }): void {
  const sql = statements(store)
  if (!isPartial) sql.forget.run({ job })
  sql.settle.run({ job })
}
