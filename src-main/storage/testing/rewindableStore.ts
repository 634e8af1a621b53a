/** A test database that can be reset to its initial content. A test that runs the same action at hundreds of positions starts each
 *  from the same database; opening and filling one per position would take longer than the action. Everything runs in one transaction
 *  that is never committed, and transactions within it are savepoints, so nothing is durable. */
import type { Store } from '../storage.ts'

export interface RewindableStore extends Store {
  /** Restores the content that the database had when this store was created. */
  rewind(): void
}

/** Wraps `real`, which must not be used otherwise afterwards; closing this store closes it. */
export function rewindable(real: Store): RewindableStore {
  const begin = real.statement('BEGIN IMMEDIATE')
  const back = real.statement('ROLLBACK')
  begin.run({})
  return {
    user: real.user,
    statement: real.statement,
    transaction: real.transaction,
    // The transaction of the real store is not a savepoint, so it would keep part of a failed change.
    unsyncedTransaction: real.transaction,
    // Nothing is committed, so there is no journal to empty.
    emptyJournal: () => true,
    rewind() {
      back.run({})
      begin.run({})
    },
    close: real.close,
  }
}
