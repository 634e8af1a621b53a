/** The second line of defence behind `lock.ts`: the database names the engine that works on the archive. Locks of files fail on some network
 *  drives, and a machine that slept may wake up after another one has taken its archive over. An engine that is no longer named changes
 *  nothing: every transaction begins with the comparison. */
import { message } from '../contract/words/message.ts'
import { engineStatements } from './engine.sql.ts'
import { StorageFault, type Statement, type Store } from './storage.ts'

/** Statements that change nothing. All others are compared, too, where they run outside of a transaction. */
const reads = /^\s*(SELECT|EXPLAIN|PRAGMA)\b/i

/** Access of one engine to the database. */
export interface EngineStore {
  /** Its transactions throw `StorageFault` when another engine is named. */
  store: Store
  /** Whether this engine is still named. */
  isNamed(): boolean
}

/** Names an engine as the one that works on the archive. `onReplaced` is called when it turns out that another one has been named since. */
export function engineStore(store: Store, { engine, onReplaced }: { engine: string; onReplaced(): void }): EngineStore {
  const sql = engineStatements(store)
  sql.claim.run({ engine })
  let isCompared = false

  function isNamed(): boolean {
    const { engine: named } = sql.named.get({}) ?? {}
    if (named !== engine) onReplaced()
    return named === engine
  }

  function compared<T>(act: () => T): T {
    if (isCompared) return act()
    if (!isNamed()) throw new StorageFault('replaced', message('database.replaced'))
    isCompared = true
    try {
      return act()
    } finally {
      isCompared = false
    }
  }

  const transaction = <T>(act: () => T) => store.transaction(() => compared(act))
  const inTransaction = <T>(act: () => T) => (isCompared ? act() : transaction(act))
  const guarded: Store = {
    ...store,
    transaction,
    unsyncedTransaction: (act) => store.unsyncedTransaction(() => compared(act)),
    statement: <Input extends object, Row>(text: string): Statement<Input, Row> => {
      const made = store.statement<Input, Row>(text)
      if (reads.test(text)) return made
      return {
        run: (input) => inTransaction(() => made.run(input)),
        get: (input) => inTransaction(() => made.get(input)),
        all: (input) => inTransaction(() => made.all(input)),
      }
    },
  }
  return { store: guarded, isNamed }
}
