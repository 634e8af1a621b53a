/** SQL statements for the names of archive files, for a search over all names. */
import type { Store } from '../../storage/storage.ts'

/** Prepares the statements. */
export function fileNameStatements(store: Store) {
  return {
    /** In the order of the numbers. */
    after: store.statement<{ after: number; limit: number }, { id: number; name: string }>(
      `SELECT id, name FROM archive_file WHERE id > @after ORDER BY id LIMIT @limit`,
    ),
    one: store.statement<{ id: number }, { name: string }>(`SELECT name FROM archive_file WHERE id = @id`),
  }
}
