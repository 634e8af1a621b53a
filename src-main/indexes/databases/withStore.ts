/** Runs a function with a database and closes it afterwards. */
import type { Store } from '../../storage/storage.ts'

/** Resolves or rejects as the function does. */
export async function withStore<T>(store: Store, act: (store: Store) => T | Promise<T>): Promise<T> {
  try {
    return await act(store)
  } finally {
    store.close()
  }
}
