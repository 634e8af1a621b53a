import { expect, test } from 'vitest'
import { engineStore } from './engineStore.ts'
import { openStore, StorageFault, type Store } from './storage.ts'

const raise = `UPDATE database_state SET sequence = sequence + 1 WHERE id = 1`

/** Returns the access of an engine, and how to name another one. */
function opened() {
  const database = openStore(':memory:')
  const begun = { transactions: 0, comparisons: 0, replaced: 0 }
  const counting: Store = {
    ...database,
    transaction(act) {
      begun.transactions += 1
      return database.transaction(act)
    },
    statement<Input extends object, Row>(sql: string) {
      const made = database.statement<Input, Row>(sql)
      if (!/^\s*SELECT engine_id/.test(sql)) return made
      const get = (input: Input) => {
        begun.comparisons += 1
        return made.get(input)
      }
      return { ...made, get }
    },
  }
  const { store, isNamed } = engineStore(counting, { engine: 'one', onReplaced: () => (begun.replaced += 1) })
  const sequence = () =>
    database.statement<object, { sequence: number }>('SELECT sequence FROM database_state').get({})?.sequence
  return {
    ...{ store, isNamed, begun, sequence },
    replace: () => engineStore(database, { engine: 'two', onReplaced: () => undefined }),
  }
}

const changes: [string, (store: Store) => unknown][] = [
  ['a statement', (store) => store.statement(raise).run({})],
  ['a statement that returns its first row', (store) => store.statement(`${raise} RETURNING sequence`).get({})],
  ['a statement that returns its rows', (store) => store.statement(`${raise} RETURNING sequence`).all({})],
  ['a statement with a table of its own', (store) => store.statement(`WITH given AS (SELECT 1) ${raise}`).run({})],
  ['a transaction', (store) => store.transaction(() => store.statement(raise).run({}))],
  ['a transaction that is not synced', (store) => store.unsyncedTransaction(() => store.statement(raise).run({}))],
  [
    'a transaction in a transaction',
    (store) => store.transaction(() => store.transaction(() => store.statement(raise).run({}))),
  ],
]
test.each(changes)('%s compares the engine once, and changes nothing when another one is named', (_, change) => {
  const { store, begun, sequence, replace } = opened()
  const before = sequence() ?? 0
  change(store)
  expect([sequence(), begun.comparisons, begun.replaced]).toEqual([before + 1, 1, 0])
  replace()
  expect(() => change(store)).toThrow(StorageFault)
  expect([sequence(), begun.comparisons, begun.replaced]).toEqual([before + 1, 2, 1])
})

test('a failed transaction leaves nothing compared', () => {
  const { store, begun } = opened()
  const fail = () => {
    throw new Error('of the caller')
  }
  expect(() => store.transaction(fail)).toThrow('of the caller')
  store.statement(raise).run({})
  expect(begun.comparisons).toBe(2)
})

const reads = [
  `SELECT sequence FROM database_state`,
  `WITH given AS (SELECT sequence FROM database_state) SELECT sequence FROM given`,
]
test.each(reads)('%s begins no transaction and compares nothing', (sql) => {
  const { store, begun, sequence, replace } = opened()
  replace()
  expect(store.statement<object, { sequence: number }>(sql).all({})).toEqual([{ sequence: sequence() }])
  expect(begun).toEqual({ transactions: 0, comparisons: 0, replaced: 0 })
})

test('an engine is named until another one is, and is told so', () => {
  const { isNamed, begun, replace } = opened()
  expect([isNamed(), begun.replaced]).toEqual([true, 0])
  replace()
  expect([isNamed(), begun.replaced]).toEqual([false, 1])
})
