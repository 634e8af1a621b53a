/** SQL statements for credentials: which key store holds each one, and under which entry. */
import type { Store } from '../../../storage/storage.ts'
import type { KeyStoreKind } from '../../../contract/services/login.ts'

/** Where the secret of a credential is kept; the secret itself is not in the database. */
export interface CredentialEntry {
  name: string
  store: KeyStoreKind
  entry: string
  setMs: number
}

/** Prepares the statements. */
export function credentialStatements(store: Store) {
  return {
    all: store.statement<object, CredentialEntry>(
      `SELECT name, store, entry, set_ms AS setMs FROM credential ORDER BY name`,
    ),
    one: store.statement<{ name: string }, CredentialEntry>(
      `SELECT name, store, entry, set_ms AS setMs FROM credential WHERE name = @name`,
    ),
    put: store.statement<CredentialEntry>(
      `INSERT INTO credential (name, store, entry, set_ms) VALUES (@name, @store, @entry, @setMs)
       ON CONFLICT (name) DO UPDATE SET store = excluded.store, entry = excluded.entry, set_ms = excluded.set_ms`,
    ),
    remove: store.statement<{ name: string }>(`DELETE FROM credential WHERE name = @name`),
  }
}
