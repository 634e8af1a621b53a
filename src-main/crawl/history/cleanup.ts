/** The history is bounded: rows go by their age, and by their number. They go in steps, so that nobody waits for the end of a
 *  long transaction, and an undisturbed archive is not written to at all. */
import type { Store } from '../../storage/storage.ts'

export interface HistoryBounds {
  /** Activities that began longer ago are removed. */
  historyDays: number
  /** No more than the newest of so many are kept. */
  historyRowsMax: number
}

/** Rows of one transaction: some milliseconds, of which a commit of the harvest does not notice. */
export const cleanupStepRows = 4_000

const dayMs = 86_400_000

/** Removes one step's rows and tells how many; 0: nothing is left to remove. */
export function historyCleanup(store: Store): (bounds: HistoryBounds, nowMs: number) => number {
  /** Uses activity_by_start. */
  const removeOld = store.statement<{ beforeMs: number; limit: number }>(
    `DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE start_ms < @beforeMs ORDER BY start_ms LIMIT @limit)`,
  )
  /** Numbers have no gaps but at the old end: the newest say how many there are at the most, and nobody has to count. */
  const removeSurplus = store.statement<{ keep: number; limit: number }>(
    `DELETE FROM activity WHERE id IN (
       SELECT id FROM activity WHERE id <= (SELECT MAX(id) FROM activity) - @keep ORDER BY id LIMIT @limit)`,
  )
  return ({ historyDays, historyRowsMax }, nowMs) => {
    const old = removeOld.run({ beforeMs: nowMs - historyDays * dayMs, limit: cleanupStepRows })
    return old > 0 ? old : removeSurplus.run({ keep: historyRowsMax, limit: cleanupStepRows })
  }
}
