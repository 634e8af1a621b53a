/** SQL statements that keep due times right when the wall clock was set or the machine was suspended. */
import type { Store } from '../../storage/storage.ts'
import { isInProgress, isWaiting } from './documentSets.ts'
import { neverMs } from './limits.ts'

/** Extends series of failures. Exported for the test of its plan. */
export const moveGivingUpSql = `
UPDATE document INDEXED BY document_failing SET fail_ms = MAX(0, fail_ms + @byMs) WHERE fail_ms IS NOT NULL`

/** Prepares the statements about the wall clock. */
export function clockStatements(store: Store) {
  return {
    /** The latest time that was recorded, by the clock at that time. */
    latest: store.statement<object, { atMs: number }>(`SELECT latest_ms AS atMs FROM clock`),
    noteClock: store.statement<{ nowMs: number }>(`UPDATE clock SET latest_ms = @nowMs WHERE latest_ms < @nowMs`),
    clockIsRight: store.statement<{ nowMs: number }>(`UPDATE clock SET latest_ms = @nowMs`),
    /** Moves due times of queued and claimed documents by the change of the clock; after a kill, claimed ones are queued with
     *  the time they had. */
    moveDue: store.statement<{ byMs: number; nowMs: number }>(
      `UPDATE document SET due_ms = due_ms + @byMs WHERE (${isWaiting} OR ${isInProgress}) AND due_ms > @nowMs AND due_ms < ${neverMs}`,
    ),
    /** Moves the times until which hosts are in their delay, as shown to users. */
    moveReady: store.statement<{ byMs: number; nowMs: number }>(
      `UPDATE host SET ready_ms = ready_ms + @byMs WHERE ready_ms > @nowMs`,
    ),
    /** Extends series of failures by time in which no server could be tried. Uses document_failing. */
    moveGivingUp: store.statement<{ byMs: number }>(moveGivingUpSql),
    /** Makes retries due whose wait is longer than any retry can be. */
    retrySooner: store.statement<{ job: number; nowMs: number; untilMs: number }>(
      `UPDATE document SET due_ms = @nowMs
       WHERE job_id = @job AND ${isWaiting} AND check_action IS NULL AND due_ms > @untilMs`,
    ),
  }
}

/** The prepared statements. */
export type ClockStatements = ReturnType<typeof clockStatements>
