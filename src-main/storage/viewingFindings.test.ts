/** What an archive of before wrote down as missing and as wrong is, after the step that tells viewings apart, the interface's. */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { openStore } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-findings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const columns =
  'id, view_id, kind, url, referrer, method, initiator, resource_type, status, file, offset, detail, first_ms, last_ms, times'
const rows = [
  [3, 1, 'missing', 'http://a/b', 'http://a/', 'GET', 'http://a/', 'image', null, null, null, null, 10, 30, 4],
  [5, 1, 'archivedError', 'http://a/gone', '', 'GET', '', '', 410, '1.warc.gz', 70, null, 11, 12, 2],
  [
    9,
    2,
    'unreadable',
    'http://a/torn',
    '',
    'HEAD',
    '',
    'style',
    null,
    '2.warc.gz',
    80,
    'its end is missing',
    13,
    13,
    1,
  ],
]

/** A database as the step before left it. */
function before(): string {
  const path = join(folder, 'before.sqlite')
  const old = new Database(path)
  old.pragma('synchronous = OFF')
  old.function('sha256', { deterministic: true }, String)
  for (const { number, sql } of migrations) if (number < 28) old.exec(sql)
  old.pragma('user_version = 27')
  old.exec("INSERT INTO view (id, jobs, created_ms) VALUES (1, '[1]', 1), (2, '[2]', 1)")
  const add = old.prepare(`INSERT INTO view_finding (${columns}) VALUES (${rows[0]?.map(() => '?').join(', ')})`)
  for (const row of rows) add.run(...row)
  old.close()
  return path
}

test('every row stays what it was and belongs to the interface, beside which others have rows of the same', () => {
  const path = before()
  openStore(path).close()
  const now = new Database(path)
  expect(now.prepare(`SELECT ${columns} FROM view_finding ORDER BY id`).raw().all()).toEqual(rows)
  expect(now.prepare('SELECT DISTINCT viewing FROM view_finding').pluck().all()).toEqual([''])
  const again = (viewing: string) =>
    now
      .prepare(
        `INSERT INTO view_finding (viewing, view_id, kind, url, referrer, method, initiator, resource_type, first_ms, last_ms)
         SELECT ?, view_id, kind, url, referrer, method, initiator, resource_type, first_ms, last_ms FROM view_finding WHERE id = 3`,
      )
      .run(viewing)
  expect(() => again('')).toThrow('UNIQUE')
  expect(again('viewing-1').changes).toBe(1)
  expect(now.pragma('foreign_key_check')).toEqual([])
  now.close()
})
