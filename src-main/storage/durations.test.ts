/** What an archive of before had written down as negative durations is repaired by the step that keeps them apart from moments,
 *  and nobody can store one any more. */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { durationsStep } from './steps/durations.ts'
import { openStore } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-durations-'))
const path = join(folder, 'before.sqlite')
afterAll(() => rmSync(folder, { recursive: true }))

const minuteMs = 60_000
const beganMs = Date.UTC(2026, 0, 1)
const comesMs = Date.UTC(2999, 0, 1)
/** Job → how long it had run, since when it runs, when it fetched something last; and what is known of it afterwards. */
const jobs: [job: number, runningMs: number, activeSinceMs: number | null, fetchedMs: number | null, known: number][] =
  [
    [1, 5 * minuteMs, null, beganMs, 5 * minuteMs],
    // A kill ended it three minutes after the start of its stretch, or later.
    [2, minuteMs, beganMs, beganMs + 3 * minuteMs, 4 * minuteMs],
    // The clock was set back by hours during it.
    [3, -180 * minuteMs, null, beganMs, 0],
    [4, 2 * minuteMs, comesMs, beganMs, 2 * minuteMs],
    [5, 0, null, null, 0],
  ]
const repaired = [3, 4]

beforeAll(() => {
  const old = new Database(path)
  old.pragma('synchronous = OFF')
  old.function('sha256', { deterministic: true }, String)
  for (const { number, sql } of migrations) if (number < durationsStep.number) old.exec(sql)
  old.pragma(`user_version = ${durationsStep.number - 1}`)
  old.exec(`INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'a', 'event', '{}', 0)`)
  const job = old.prepare(
    `INSERT INTO job (id, harvest_id, state, created_ms, started_ms, running_ms, active_since_ms)
     VALUES (?, 1, 'INACTIVE', 0, ?, ?, ?)`,
  )
  const host = old.prepare(`INSERT INTO host (id, job_id, origin) VALUES (?, ?, 'http://a.test')`)
  const document = old.prepare(
    `INSERT INTO document (job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms, fetched_ms, duration_ms)
     VALUES (?, ?, 'http://a.test/', ?, 'COMPLETE', 'page', '', 0, 0, ?, ?)`,
  )
  for (const [id, runningMs, activeSinceMs, fetchedMs] of jobs) {
    job.run(id, fetchedMs === null ? null : beganMs, runningMs, activeSinceMs)
    host.run(id, id)
    // What was fetched while the clock was set back took less than no time.
    if (fetchedMs !== null) document.run(id, Buffer.from(String(id)), id, fetchedMs, id === 3 ? -minuteMs : 30)
  }
  old.exec(`INSERT INTO activity_result (id, text) VALUES (1, '200')`)
  old.exec(`INSERT INTO activity (id, kind, job_id, start_ms, end_ms, result_id, identifier)
    VALUES (1, 1, 1, ${beganMs}, ${beganMs + 70}, 1, 'http://a.test/'), (2, 1, 3, ${beganMs}, ${beganMs - minuteMs}, 1, 'http://a.test/')`)
  old.close()
  openStore(path).close()
})

const rows = (sql: string) => {
  const now = new Database(path)
  try {
    return now.prepare(sql).raw().all()
  } finally {
    now.close()
  }
}

test('every run keeps what is known of how long it lasted, and none is negative', () => {
  expect(rows('SELECT id, running_ms FROM job ORDER BY id')).toEqual(jobs.map(([id, , , , known]) => [id, known]))
  // Whoever begins to ask servers again must know that they may have been asked a moment ago.
  expect(rows('SELECT id, stretches FROM job ORDER BY id')).toEqual(jobs.map(([id]) => [id, id === 5 ? 0 : 1]))
})

test('the log of a job whose time was wrong says so, at the moment of the repair, and no other log does', () => {
  const events = rows('SELECT job_id, level, text, at_ms FROM job_event ORDER BY id')
  expect(events.map((row) => [(row as unknown[])[0], (row as unknown[])[1]])).toEqual(
    repaired.map((job) => [job, 'warning']),
  )
  for (const [, , text, atMs] of events as [number, string, string, number][]) {
    expect(text).toMatch(/^The clock of this machine was set during this run.*This was repaired/)
    expect(Math.abs(atMs - Date.now())).toBeLessThan(60 * minuteMs)
  }
})

test('a fetch that took less than no time took nobody knows how long; the others stay', () => {
  expect(rows('SELECT job_id, duration_ms FROM document ORDER BY job_id')).toEqual([
    [1, 30],
    [2, 30],
    [3, null],
    [4, 30],
  ])
  expect(rows('SELECT id, duration_ms FROM activity ORDER BY id')).toEqual([
    [1, 70],
    [2, 0],
  ])
})

test.each([
  'UPDATE job SET running_ms = -1',
  'UPDATE job SET stretches = -1',
  'UPDATE document SET duration_ms = -1',
  `INSERT INTO document (job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms, duration_ms)
   VALUES (1, x'00', 'http://a.test/b', 1, 'PENDING', 'page', '', 0, 0, -1)`,
  `INSERT INTO removed_document (job_id, run, why, removed_ms, url, hop_path, duration_ms) VALUES (1, 1, 'expired', 0, 'http://a.test/', '', -1)`,
  'UPDATE activity SET duration_ms = -1',
  `INSERT INTO preservation_check (kind, replicas, state, started_ms, files_total, bytes_total, running_ms)
   VALUES ('missing', '[]', 'RUNNING', 0, 0, 0, -1)`,
])('no negative duration is stored: %s', (sql) => {
  const now = new Database(path)
  expect(() => now.exec(sql)).toThrow(/CHECK constraint failed|must not be negative/)
  now.close()
})
