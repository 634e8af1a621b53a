/** Searches that users have saved under a name, in the database. */
import { savedSearch, type SavedSearch } from '../../contract/services/search.ts'
import type { Store } from '../../storage/storage.ts'
import { savedSearchStatements } from './savedSearches.sql.ts'

export interface SavedSearches {
  /** By name. */
  list(): SavedSearch[]
  /** Saves a search; another one with this name is replaced. */
  save(search: SavedSearch): void
  /** Does nothing if there is none with this name. */
  forget(name: string): void
}

export function openSavedSearches(store: Store): SavedSearches {
  const statements = savedSearchStatements(store)
  return {
    list: () =>
      statements.list.all({}).map(({ name, search }) => savedSearch.parse({ ...(JSON.parse(search) as object), name })),
    save: ({ name, ...search }) => void statements.save.run({ name, search: JSON.stringify(search) }),
    forget: (name) => void statements.forget.run({ name }),
  }
}
