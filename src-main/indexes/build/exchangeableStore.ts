/** A database handle that can switch to another file while statements are in use: an index is read while it is being built, and
 *  the complete one has another file. */
import type { Statement, Store } from '../../storage/storage.ts'

/** A database whose file can be exchanged. */
export interface ExchangeableStore extends Store {
  /** Switches to `next` and closes the previous database. */
  exchange(next: Store): void
}

/** Makes a handle to `first`. Statements are prepared again after an exchange, when they are next used. */
export function exchangeableStore(first: Store): ExchangeableStore {
  let current = first
  const prepared = <Input extends object, Row>(sql: string) => {
    let made: { of: Store; statement: Statement<Input, Row> } | undefined
    return (): Statement<Input, Row> => {
      if (made?.of !== current) made = { of: current, statement: current.statement<Input, Row>(sql) }
      return made.statement
    }
  }
  return {
    get user() {
      return current.user
    },
    statement<Input extends object, Row>(sql: string): Statement<Input, Row> {
      const ready = prepared<Input, Row>(sql)
      return {
        run: (input) => ready().run(input),
        get: (input) => ready().get(input),
        all: (input) => ready().all(input),
        get isReadOnly() {
          return ready().isReadOnly
        },
      }
    },
    transaction: (act) => current.transaction(act),
    unsyncedTransaction: (act) => current.unsyncedTransaction(act),
    emptyJournal: () => current.emptyJournal(),
    close: () => current.close(),
    exchange(next) {
      const before = current
      current = next
      before.close()
    },
  }
}
