/** SQL statements for the names of harvests, for a search over all names. */
import type { Store } from '../../storage/storage.ts'

/** Prepares the statements. */
export function harvestNameStatements(store: Store) {
  return {
    /** In the order of the numbers. */
    after: store.statement<{ after: number; limit: number }, { id: number; name: string }>(
      `SELECT id, name FROM harvest_definition WHERE id > @after ORDER BY id LIMIT @limit`,
    ),
    one: store.statement<{ id: number }, { name: string }>(`SELECT name FROM harvest_definition WHERE id = @id`),
  }
}
