/** A check in addition to `lock.ts`: the database names the engine that works on the archive. File locks fail on some network drives, and a
 *  suspended machine may wake up after another one has taken the archive over. An engine that is no longer named changes nothing in the
 *  database: each of its transactions first compares the name, which takes 1 to 2 µs. */
import { message } from '../contract/words/message.ts'
import { engineStatements } from './engine.sql.ts'
import { StorageFault, type Statement, type Store } from './storage.ts'

/** Access of one engine to the database. */
export interface EngineStore {
  /** Its transactions, and its statements outside of transactions that are not read-only, throw `StorageFault` (code `replaced`) when another
   *  engine is named. */
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
  const guarded: Store = {
    ...store,
    transaction,
    unsyncedTransaction: (act) => store.unsyncedTransaction(() => compared(act)),
    statement: <Input extends object, Row>(text: string): Statement<Input, Row> => {
      const made = store.statement<Input, Row>(text)
      const checked = <T>(act: () => T) => (isCompared || made.isReadOnly ? act() : transaction(act))
      return {
        run: (input) => checked(() => made.run(input)),
        get: (input) => checked(() => made.get(input)),
        all: (input) => checked(() => made.all(input)),
        get isReadOnly() {
          return made.isReadOnly
        },
      }
    },
  }
  return { store: guarded, isNamed }
}
