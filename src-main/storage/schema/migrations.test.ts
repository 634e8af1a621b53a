import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { migrate, migrations, type Migration } from './migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

const steps: Migration[] = [
  { number: 1, sql: 'CREATE TABLE fruit (name TEXT)' },
  { number: 2, sql: `ALTER TABLE fruit ADD COLUMN colour TEXT; UPDATE fruit SET colour = 'unknown'` },
  { number: 3, sql: 'CREATE INDEX fruit_by_colour ON fruit (colour)' },
]

let made = 0
function opened(): Database.Database {
  made += 1
  const database = new Database(join(folder, `${made}.sqlite`))
  database.pragma('journal_mode = WAL')
  database.pragma('secure_delete = ON')
  return database
}

const namesIn = (database: Database.Database) =>
  database.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all()
const versionOf = (database: Database.Database) => database.pragma('user_version', { simple: true })

test('the steps are numbered without gaps', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1))
})

test.each([0, 1, 2, 3])('a database of schema %i is brought to the newest, with its rows', (version) => {
  const database = opened()
  migrate(database, 'x', steps.slice(0, version))
  if (version > 0) database.exec(`INSERT INTO fruit (name) VALUES ('pear')`)
  migrate(database, 'x', steps)
  expect(versionOf(database)).toBe(3)
  expect(namesIn(database)).toEqual(['fruit', 'fruit_by_colour'])
  expect(database.prepare('SELECT name FROM fruit').pluck().all()).toEqual(version > 0 ? ['pear'] : [])
  // A second migration changes nothing.
  migrate(database, 'x', steps)
  database.close()
})

test('a failed step leaves the database at the previous step and is repeated at the next start', () => {
  const database = opened()
  const broken = [...steps.slice(0, 2), { number: 3, sql: 'CREATE TABLE half (x); CREATE TABLE half (x)' }]
  expect(() => migrate(database, 'x', broken)).toThrow('already exists')
  expect([versionOf(database), namesIn(database)]).toEqual([2, ['fruit']])
  migrate(database, 'x', steps)
  expect(versionOf(database)).toBe(3)
  database.close()
})

test('refuses a database of a newer version without changing it', () => {
  const database = opened()
  migrate(database, 'x', steps)
  expect(() => migrate(database, '/a/loupe.db', steps.slice(0, 2))).toThrow(
    '/a/loupe.db was made by a newer version of Loupe (schema 3; this version supports up to 2). Update Loupe.',
  )
  expect(versionOf(database)).toBe(3)
  database.close()
})

test.each([
  ['is written again, without deleted bytes, where its query gives a row', 'SELECT 1', false],
  ['is not written again where it gives none', 'SELECT 1 WHERE 0', true],
])('after a step the database %s', (_, compactedWhere, isStillThere) => {
  const database = opened()
  database.pragma('secure_delete = OFF')
  migrate(database, 'x', steps.slice(0, 2))
  database.exec(`INSERT INTO fruit (name) VALUES ('a-secret-that-was-deleted'); DELETE FROM fruit`)
  migrate(database, 'x', [...steps.slice(0, 2), { number: 3, sql: 'CREATE TABLE next (x)', compactedWhere }])
  const files = ['', '-wal'].map((suffix) => readFileSync(database.name + suffix, 'latin1')).join('')
  expect(files.includes('a-secret-that-was-deleted')).toBe(isStillThere)
  database.close()
})
