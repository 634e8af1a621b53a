/** A database for tests that can be set back to its initial content. A test that drives the same action through hundreds of positions
 *  starts each from the same database; opening and filling one per position would take longer than the action. Everything happens
 *  in one transaction that is never committed, and transactions within it are savepoints, so nothing is durable. */
import type { Store } from '../storage.ts'

export interface RewindableStore extends Store {
  /** Restores the content that the database had when this store was made. */
  rewind(): void
}

/** Takes over `real`, which must not be used otherwise from now on; closing this store closes it. */
export function rewindable(real: Store): RewindableStore {
  const begin = real.statement('BEGIN IMMEDIATE')
  const back = real.statement('ROLLBACK')
  begin.run({})
  return {
    user: real.user,
    statement: real.statement,
    transaction: real.transaction,
    // The transaction of the real store is no savepoint: it would keep half of what failed.
    unsyncedTransaction: real.transaction,
    // Nothing is committed, so the journal has nothing to be emptied.
    emptyJournal: () => true,
    rewind() {
      back.run({})
      begin.run({})
    },
    close: real.close,
  }
}
