/** Limits the history by age and by number of rows. Rows are removed in steps, to avoid long transactions; if there is nothing to
 *  remove, nothing is written. */
import type { Store } from '../../storage/storage.ts'

/** Limits of the history. */
export interface HistoryBounds {
  /** Activities that began more days ago are removed. */
  historyDays: number
  /** Number of newest activities that are kept. */
  historyRowsMax: number
}

/** Rows removed per transaction. This takes some milliseconds, so that it does not delay a commit of the harvest. */
export const cleanupStepRows = 4_000

const dayMs = 86_400_000

/** Returns a function that removes the rows of one step and returns their number, 0 if nothing is left to remove. */
export function historyCleanup(store: Store): (bounds: HistoryBounds, nowMs: number) => number {
  /** Uses activity_by_start. */
  const removeOld = store.statement<{ beforeMs: number; limit: number }>(
    `DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE start_ms < @beforeMs ORDER BY start_ms LIMIT @limit)`,
  )
  /** Ids have gaps only at the old end, so the highest id gives an upper bound on the number of rows without counting them. */
  const removeSurplus = store.statement<{ keep: number; limit: number }>(
    `DELETE FROM activity WHERE id IN (
       SELECT id FROM activity WHERE id <= (SELECT MAX(id) FROM activity) - @keep ORDER BY id LIMIT @limit)`,
  )
  return ({ historyDays, historyRowsMax }, nowMs) => {
    const old = removeOld.run({ beforeMs: nowMs - historyDays * dayMs, limit: cleanupStepRows })
    return old > 0 ? old : removeSurplus.run({ keep: historyRowsMax, limit: cleanupStepRows })
  }
}
