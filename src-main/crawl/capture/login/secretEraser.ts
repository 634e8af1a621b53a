/** Removes secrets that were deleted from the database from its journal, which may still hold their bytes. */
import type { Store } from '../../../storage/storage.ts'

/** Returns a function that empties the journal if secrets were deleted. It returns false if the journal cannot be emptied now. */
export function secretEraser(store: Store): () => boolean {
  const mark = store.statement<object, { times: number }>('SELECT times FROM deleted_secret')
  const clearMark = store.statement<{ times: number }>('DELETE FROM deleted_secret WHERE times = @times')
  return () => {
    const found = mark.get({})
    if (found === undefined) return true
    if (!store.emptyJournal()) return false
    // Has no effect if more secrets were deleted meanwhile, since the journal then holds these.
    clearMark.run(found)
    return true
  }
}
