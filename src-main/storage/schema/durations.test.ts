/** Durations are measured by the monotonic clock, and no table takes a negative one. */
import { afterAll, expect, test } from 'vitest'
import { openStore } from '../storage.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const run = (sql: string) => store.statement<object>(sql).run({})
run(`INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'a', 'event', '{}', 0)`)
run(`INSERT INTO job (id, harvest_id, state, created_ms) VALUES (1, 1, 'INACTIVE', 0)`)
run(`INSERT INTO host (id, job_id, origin) VALUES (1, 1, 'http://a.test')`)
run(`INSERT INTO document (job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms, duration_ms)
  VALUES (1, x'01', 'http://a.test/', 1, 'COMPLETE', 'page', '', 0, 0, 30)`)
run(`INSERT INTO activity_result (id, text) VALUES (1, '200')`)
run(
  `INSERT INTO activity (kind, job_id, start_ms, duration_ms, result_id, identifier) VALUES (1, 1, 0, 70, 1, 'http://a.test/')`,
)

test.each([
  'UPDATE job SET running_ms = -1',
  'UPDATE job SET segments = -1',
  'UPDATE document SET duration_ms = -1',
  `INSERT INTO document (job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms, duration_ms)
   VALUES (1, x'00', 'http://a.test/b', 1, 'PENDING', 'page', '', 0, 0, -1)`,
  `INSERT INTO removed_document (job_id, run, why, removed_ms, url, hop_path, duration_ms) VALUES (1, 1, 'expired', 0, 'http://a.test/', '', -1)`,
  'UPDATE activity SET duration_ms = -1',
  `INSERT INTO activity (kind, job_id, start_ms, duration_ms, result_id, identifier) VALUES (1, 1, 0, -1, 1, '')`,
  `INSERT INTO task (kind, subject, state, started_by, started_ms, running_ms) VALUES ('export', '{}', 'RUNNING', 'user', 0, -1)`,
])('%s', (sql) => {
  expect(() => run(sql)).toThrow('CHECK constraint failed')
})
