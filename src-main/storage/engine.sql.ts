/** SQL statements about the engine that works on an archive. */
import type { Store } from './storage.ts'

/** Prepares the statements. */
export function engineStatements(store: Store) {
  return {
    claim: store.statement<{ engine: string }>(`UPDATE database_state SET engine_id = @engine WHERE id = 1`),
    named: store.statement<object, { engine: string | null }>(
      `SELECT engine_id AS engine FROM database_state WHERE id = 1`,
    ),
  }
}
