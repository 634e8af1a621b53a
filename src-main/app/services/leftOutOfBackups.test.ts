import { expect, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { leftOutOfBackups } from './leftOutOfBackups.ts'

test('every table with secrets is left out of backups', () => {
  const store = openStore(':memory:')
  const secret = /cookie|session|secret|password|passwd|token|nonce/
  // A count, and accounts, of whose passwords the results of scrypt are kept: without them nobody could log in after a restore.
  const none = `('deleted_secret', 'account')`
  const columns = store
    .statement<object, { table: string; column: string }>(
      `SELECT tables.name AS "table", columns.name AS "column" FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND tables.name NOT IN ${none}`,
    )
    .all({})
  const found = columns.filter(({ table, column }) => secret.test(table) || secret.test(column))
  expect(new Set(found.map(({ table }) => table))).toEqual(new Set(leftOutOfBackups))
  store.close()
})
