/** A database that is set back to how it was, as often as one likes: for who drives the same deed through hundreds of
 *  positions, each from the same beginning. Opening and filling one for each costs more than the deed. Everything happens in
 *  one transaction that is never committed, and transactions in it are savepoints; so deliberately not here is what lasts:
 *  nothing does, and no disk is waited for. */
import type { Statement, Store } from '../storage.ts'

export interface RewindableStore extends Store {
  /** Back to how it was when this was made. */
  rewind(): void
}

/** From now on `real` is this one's alone; its end is the end of both. */
export function rewindable(real: Store): RewindableStore {
  const begin = real.statement('BEGIN IMMEDIATE')
  const back = real.statement('ROLLBACK')
  // Parts prepare their statements at their start, and they start at every position anew.
  const prepared = new Map<string, Statement<object, unknown>>()
  begin.run({})
  return {
    user: real.user,
    statement<Input extends object, Row>(sql: string) {
      const known = prepared.get(sql) ?? real.statement(sql)
      prepared.set(sql, known)
      return known as Statement<Input, Row>
    },
    transaction: real.transaction,
    // Without a transaction of its own it would keep the half of what failed.
    fleeting: real.transaction,
    // Nothing is committed, so there is nothing to be emptied.
    emptyJournal: () => true,
    rewind() {
      back.run({})
      begin.run({})
    },
    close: real.close,
  }
}
