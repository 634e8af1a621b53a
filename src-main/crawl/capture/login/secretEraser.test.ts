import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../../storage/storage.ts'
import { secretEraser } from './secretEraser.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))
let number = 0
const newPath = () => join(folder, `${(number += 1)}.db`)

const secret = 'sessionOfTheLogin'

/** Returns the suffixes of the database files that contain the secret. */
function holding(path: string): string[] {
  return ['', '-wal', '-shm'].filter((suffix) => {
    return existsSync(path + suffix) && readFileSync(path + suffix).includes(secret)
  })
}

/** Cookies of a running job, enough to fill several pages of the database. */
const filled = `
INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'h', 'event', '{}', 0);
INSERT INTO job (id, harvest_id, state, created_ms) VALUES (1, 1, 'ACTIVE', 0);
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500)
INSERT INTO cookie SELECT 1, 'site' || n || '.test', '/', 'sid', '${secret}' || n || hex(zeroblob(50)), 0, 0, NULL, 0 FROM numbers;
`

function execute(store: Store, sql: string): void {
  for (const statement of sql.split(';\n').filter((one) => one.trim() !== '')) store.statement(statement).run({})
}

test('after the write-ahead log is truncated, no file of the database contains deleted sessions', () => {
  const path = newPath()
  const store = openStore(path)
  execute(store, filled)
  const erase = secretEraser(store)
  expect(erase()).toBe(true)
  expect(holding(path)).toEqual(['-wal'])
  expect(store.emptyJournal()).toBe(true)
  expect(holding(path)).toEqual([''])
  execute(store, `UPDATE cookie SET value = value || '+'`)
  execute(store, 'DELETE FROM cookie')
  // Deleted, but still readable in the files.
  expect(holding(path)).toEqual(['', '-wal'])
  expect(erase()).toBe(true)
  expect(holding(path)).toEqual([])
  expect(erase()).toBe(true)
  store.close()
  expect(holding(path)).toEqual([])
})

test('the write-ahead log stays while a reader uses it, and the next attempt truncates it', () => {
  const path = newPath()
  const store = openStore(path)
  execute(store, filled)
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT * FROM cookie LIMIT 1').all()
  execute(store, 'DELETE FROM cookie')
  const erase = secretEraser(store)
  expect(erase()).toBe(false)
  expect(holding(path)).toContain('-wal')
  reader.exec('COMMIT')
  expect(erase()).toBe(true)
  expect(holding(path)).toEqual([])
  reader.close()
  store.close()
})

test('sessions deleted by an earlier process are truncated by the next one', () => {
  const path = newPath()
  const store = openStore(path)
  execute(store, filled)
  execute(store, 'DELETE FROM cookie')
  // Simulates a kill: another connection prevents the removal of the write-ahead log.
  const other = new Database(path)
  other.prepare('SELECT COUNT(*) FROM job').all()
  store.close()
  expect(holding(path)).toContain('-wal')
  const next = openStore(path)
  expect(secretEraser(next)()).toBe(true)
  expect(holding(path)).toEqual([])
  next.close()
  other.close()
})
