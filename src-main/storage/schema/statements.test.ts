/** Prepares every SQL statement of the product against the schema, so that a renamed column fails here and not only in the call that
 *  uses it. Statements are those of the functions named `…Statements` in `*.sql.ts`: they are called with a store that prepares
 *  each at once. Statements of indexes are for databases of their own, which the tests of `indexes` open. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { measures } from '../../crawl/model/hopMeasures.ts'
import { offerPatterns } from '../sqlite/patterns.ts'
import { openStore, type Store } from '../storage.ts'

const root = join(import.meta.dirname, '../..')
const modules = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.sql.ts') && !path.startsWith('indexes/'))
  .sort()

/** Further arguments of functions whose statements depend on more than the store. */
const furtherArguments: Record<string, unknown[][]> = {
  measureStatements: Object.keys(measures).flatMap((measure) =>
    [true, false].map((keepsPaths) => [measure, keepsPaths]),
  ),
  settledStatements: [['settled'], ['rescheduled']],
}

const store = openStore(':memory:')
const database = new Database(':memory:')
database.function('sha256', String)
offerPatterns(database)
const schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
for (const { sql } of store.statement<object, { sql: string }>(schema).all({})) database.exec(sql)
afterAll(() => {
  store.close()
  database.close()
})

let prepared = 0
const wrong: string[] = []
const preparing: Store = {
  ...store,
  statement(sql) {
    try {
      const statement = database.prepare(sql)
      prepared += 1
      // Other statements are about these.
      if (/^\s*CREATE TEMP /.test(sql)) statement.run()
    } catch (error) {
      wrong.push(`${String(error)} in ${sql}`)
    }
    return store.statement(sql)
  },
}

type StatementsOf = (store: Store, ...further: unknown[]) => unknown

test.each(modules)('%s', async (path) => {
  const exported = (await import(join(root, path))) as Record<string, unknown>
  for (const [name, value] of Object.entries(exported)) {
    if (typeof value !== 'function' || !name.endsWith('Statements')) continue
    for (const further of furtherArguments[name] ?? [[]]) (value as StatementsOf)(preparing, ...further)
  }
  expect(wrong.splice(0)).toEqual([])
})

test('finds the functions that prepare statements', () => {
  expect(prepared).toBeGreaterThan(400)
})
