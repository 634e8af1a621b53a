/** What an archive of before knows of its copies' past is there after the step that keeps it as sightings and events. */
import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { openStore } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-past-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sha256 = (text: unknown) => createHash('sha256').update(String(text)).digest('hex')

/** A database as the seventh step left it. */
function before(name: string, fill: string): string {
  const path = join(folder, name)
  const old = new Database(path)
  old.pragma('synchronous = OFF')
  old.function('sha256', { deterministic: true }, sha256)
  for (const { number, sql } of migrations) if (number <= 7) old.exec(sql)
  old.pragma('user_version = 7')
  old.exec(fill)
  old.close()
  return path
}

const archive = `
INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms, stored_ms) VALUES (1, 'a', 9, 'good', 'content', 10, 20), (2, 'b', 9, 'fine', 'content', 10, NULL);
INSERT INTO replica_file (id, file_id, replica, upload_state, preservation_state, checked_ms, verified_ms, found_sha256, found_bytes) VALUES
  (1, 1, 'one', 'UPLOAD_COMPLETED', 'OK', 400, 400, 'good', 9),
  (2, 1, 'two', 'UPLOAD_COMPLETED', 'MISSING', 300, 300, 'bad', 9),
  (3, 1, 'three', 'UPLOAD_COMPLETED', 'CORRUPT', 550, 550, 'odd', 9),
  (4, 2, 'one', 'UPLOAD_FAILED', 'UNCHECKED', NULL, NULL, NULL, NULL),
  (5, 2, 'two', 'UPLOAD_COMPLETED', 'UNCHECKED', NULL, NULL, NULL, NULL);
INSERT INTO preservation_check (id, kind, replicas, state, started_ms, ended_ms, files_total, files_done, bytes_total, findings) VALUES
  (1, 'missing', '["one","two"]', 'DONE', 100, 101, 2, 2, 0, 1), (2, 'missing', '["one"]', 'DONE', 200, 201, 1, 1, 0, 0),
  (3, 'checksums', '["one","two"]', 'DONE', 300, 301, 2, 2, 18, 1), (4, 'checksums', '["one","three"]', 'STOPPED', 400, 401, 2, 1, 18, 0);
INSERT INTO preservation_item (check_id, replica_file_id, replica, name, done_ms, finding, expected, found) VALUES
  (1, 1, 'one', 'a', 100, NULL, NULL, NULL), (1, 2, 'two', 'a', 100, 'wrongLength', '9 bytes', '4 bytes'),
  (1, NULL, 'two', 'x', 101, 'surplus', NULL, NULL), (2, 1, 'one', 'a', 200, NULL, NULL, NULL),
  (3, 1, 'one', 'a', 300, NULL, NULL, NULL), (3, 2, 'two', 'a', 300, 'wrongChecksum', 'good', 'bad'),
  (4, 1, 'one', 'a', 400, NULL, NULL, NULL), (4, 3, 'three', 'a', NULL, NULL, NULL, NULL);
INSERT INTO attic (file_id, replica, sha256, bytes, who, reason, begun_ms, kept, kept_ms) VALUES (1, 'two', 'bad', 9, 'person', 'r', 500, 'k', 510);
INSERT INTO spot_check (id, begun_by, started_ms, ended_ms) VALUES (1, 'schedule', 250, 251);
INSERT INTO spot (spot_check_id, file_id, at_ms, salt, verdict, answers) VALUES (1, 1, 250, 's', 'differ',
  '[{"replica":"one","kind":"answered","hmac":"h"},{"replica":"two","kind":"answered","hmac":"x"},{"replica":"three","kind":"answered","hmac":"h"},{"replica":"sums","kind":"notAsked","why":"w"}]');
`

/** Entries of the trail as they are hashed does not matter here: who counts them does not verify them. */
const repairs = [
  [600, 'person', 'repair', 'two'],
  [700, 'person', 'repairFailed', 'two'],
  [800, 'person', 'repairRefused', 'two'],
  [900_000, 'person', 'repair', 'two'],
  [900_001, 'recovery', 'repair', 'one'],
]
const trail = repairs
  .map(
    ([at, who, what, replica], index) =>
      `INSERT INTO audit (number, at_ms, who, what, subject, became, previous, hash) VALUES (${index + 1}, ${at}, '${who}', '${what}', 'a', '{"replica":"${replica}"}', '${index === 0 ? '0'.repeat(64) : `h${index - 1}`}', 'h${index}');`,
  )
  .join('\n')

describe('an archive of before', () => {
  const path = before('past.sqlite', archive + trail)
  const store = openStore(path)
  afterAll(() => store.close())

  test('every copy has its stretches', () => {
    const rows = store.statement<object, Record<string, unknown>>(
      `SELECT copy_id AS copy, seen, sha256, bytes, first_ms AS first, last_ms AS last, times FROM sighting ORDER BY id`,
    )
    const told = rows.all({}).map((row) => Object.values(row))
    expect(told).toEqual([
      [1, 'stored', 'good', 9, 20, 20, 1],
      [1, 'present', null, 9, 100, 200, 2],
      [1, 'right', 'good', 9, 300, 400, 2],
      [2, 'stored', 'good', 9, 20, 20, 1],
      [2, 'wrongLength', null, 4, 100, 100, 1],
      [2, 'wrongChecksum', 'bad', 9, 300, 300, 1],
      [3, 'stored', 'good', 9, 20, 20, 1],
      // Read by a repair.
      [3, 'wrongChecksum', 'odd', 9, 550, 550, 1],
      [5, 'stored', 'fine', 9, 10, 10, 1],
      // Taken to the attic.
      [2, 'missing', null, null, 510, 510, 1],
    ])
  })

  test('every replica has its events, in the order in which they began', () => {
    const rows = store.statement<object, Record<string, unknown>>(
      `SELECT replica, kind, number, begun_by, at_ms, last_ms, files_total, files, findings FROM replica_event ORDER BY id`,
    )
    const told = rows.all({}).map((row) => Object.values(row))
    expect(told).toEqual([
      ['one', 'missing', 1, 'person', 100, 101, 1, 1, 0],
      ['two', 'missing', 1, 'person', 100, 101, 1, 1, 2],
      ['one', 'missing', 2, 'person', 200, 201, 1, 1, 0],
      ['one', 'spot', 1, 'schedule', 250, 251, 1, 1, 0],
      ['three', 'spot', 1, 'schedule', 250, 251, 1, 1, 0],
      ['two', 'spot', 1, 'schedule', 250, 251, 1, 1, 1],
      ['one', 'checksums', 3, 'person', 300, 301, 1, 1, 0],
      ['two', 'checksums', 3, 'person', 300, 301, 1, 1, 1],
      ['one', 'checksums', 4, 'person', 400, 401, 1, 1, 0],
      ['three', 'checksums', 4, 'person', 400, 401, 1, 0, 0],
      ['two', 'repair', 1, 'person', 600, 700, 2, 1, 1],
      ['two', 'repair', 4, 'person', 900_000, 900_000, 1, 1, 0],
      ['one', 'repair', 5, 'recovery', 900_001, 900_001, 1, 1, 0],
    ])
  })

  test('a check that is done keeps what it found, one that can be resumed keeps its list', () => {
    const rows = store.statement<object, { id: number; list: string; left: number; open: number }>(
      `SELECT preservation_check.id, list, COUNT(item.id) AS left, COUNT(item.id) FILTER (WHERE finding IS NULL) AS open
       FROM preservation_check LEFT JOIN preservation_item AS item ON check_id = preservation_check.id GROUP BY 1 ORDER BY 1`,
    )
    expect(rows.all({}).map((row) => Object.values(row))).toEqual([
      [1, 'cleared', 2, 0],
      [2, 'cleared', 0, 0],
      [3, 'cleared', 1, 0],
      [4, 'whole', 2, 2],
    ])
  })
})

test('two hundred thousand looks at a hundred thousand copies: how long the step takes is told', () => {
  const path = before(
    'million.sqlite',
    `
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms, stored_ms) SELECT i, 'f' || i || '.warc.gz', 9, 'good' || i, 'content', i, i FROM n;
INSERT INTO replica_file (file_id, replica, upload_state, preservation_state, checked_ms, verified_ms, found_sha256, found_bytes)
  SELECT archive_file.id, value, 'UPLOAD_COMPLETED', 'OK', 10000002, 10000002, sha256, 9 FROM archive_file, json_each('["one","two"]');
INSERT INTO preservation_check (id, kind, replicas, state, started_ms, ended_ms, files_total, files_done, bytes_total)
  SELECT key + 1, value, '["one","two"]', 'DONE', 10000000 + key, 10000000 + key, 100000, 100000, 1 FROM json_each('["missing","checksums"]');
INSERT INTO preservation_item (check_id, replica_file_id, replica, name, done_ms)
  SELECT c.id, replica_file.id, replica, name, c.started_ms FROM preservation_check AS c, replica_file JOIN archive_file ON archive_file.id = file_id;`,
  )
  const beganMs = performance.now()
  const store = openStore(path)
  console.log(`two hundred thousand items: ${((performance.now() - beganMs) / 1000).toFixed(1)} s`)
  const counted = store.statement<object, { sightings: number; items: number }>(
    `SELECT (SELECT COUNT(*) FROM sighting) AS sightings, (SELECT COUNT(*) FROM preservation_item) AS items`,
  )
  expect(counted.get({})).toEqual({ sightings: 300_000, items: 0 })
  store.close()
}, 900_000)
