/** SQL statements for saved searches. */
import type { Store } from '../../storage/storage.ts'

/** A search as it is stored; `search` is JSON. */
export interface SavedSearchRow {
  name: string
  search: string
}

/** Prepares the statements. */
export function savedSearchStatements(store: Store) {
  return {
    list: store.statement<object, SavedSearchRow>(`SELECT name, search FROM saved_search ORDER BY name`),
    save: store.statement<SavedSearchRow>(
      `INSERT INTO saved_search (name, search) VALUES (@name, @search)
       ON CONFLICT (name) DO UPDATE SET name = excluded.name, search = excluded.search`,
    ),
    forget: store.statement<{ name: string }>(`DELETE FROM saved_search WHERE name = @name`),
  }
}
