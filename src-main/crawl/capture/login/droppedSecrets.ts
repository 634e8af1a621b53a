/** Secrets that were deleted from the database and whose bytes its journal still has. */
import type { Store } from '../../../storage/storage.ts'

/** Gives what empties the journal when it has to be. False: it could not be now. */
export function droppedSecrets(store: Store): () => boolean {
  const dropped = store.statement<object, { times: number }>('SELECT times FROM dropped_secret')
  const isDone = store.statement<{ times: number }>('DELETE FROM dropped_secret WHERE times = @times')
  return () => {
    const found = dropped.get({})
    if (found === undefined) return true
    if (!store.emptyJournal()) return false
    // Not where more was deleted meanwhile: that is in the journal again.
    isDone.run(found)
    return true
  }
}
