/** Counters that triggers maintain: queued URLs after any change of a document, and the totals of a run when the next one begins. */
import { afterAll, expect, test } from 'vitest'
import { stateIn } from './stateIn.ts'
import { documentStates, queuedDocumentStates } from '../../contract/states/documentStates.ts'
import { openStore } from '../storage.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const run = (sql: string) => store.statement<object>(sql).run({})
const one = (sql: string) => store.statement<object, object>(sql).get({})

test('`queued` follows the state of every document', () => {
  run(`INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, 'a', 'event', '{}', 0)`)
  run(`INSERT INTO job (id, harvest_id, state, created_ms) VALUES (1, 1, 'INACTIVE', 0)`)
  run(`INSERT INTO host (id, job_id, origin) VALUES (1, 1, 'http://a.test')`)
  const expectCounted = () =>
    expect(one(`SELECT documents_queued AS queued FROM job WHERE id = 1`)).toEqual(
      one(`SELECT COUNT(*) AS queued FROM document WHERE ${stateIn(queuedDocumentStates)}`),
    )
  for (const [at, { from, to }] of documentStates.moves.entries()) {
    run(`INSERT INTO document (id, job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms)
         VALUES (${at}, 1, x'${at.toString(16).padStart(4, '0')}', 'http://a.test/${at}', 1, '${from}', 'page', '', 0, 0)`)
    expectCounted()
    run(`UPDATE document SET state = '${to}' WHERE id = ${at}`)
    expectCounted()
  }
  run(`DELETE FROM document WHERE id % 2 = 0`)
  expectCounted()
  run(`DELETE FROM document`)
  expect(one(`SELECT documents_queued AS queued FROM job`)).toEqual({ queued: 0 })
})

test('a run that has started is kept when the next starts, one that has not is dropped', () => {
  run(`UPDATE job SET run = 2`)
  expect(one(`SELECT COUNT(*) AS runs FROM job_run`)).toEqual({ runs: 0 })
  run(`UPDATE job SET started_ms = 5, ended_ms = 9, running_ms = 3, documents_fetched = 4, bytes = 70`)
  run(`UPDATE job SET run = 3, started_ms = NULL, documents_fetched = 0, bytes = 0`)
  expect(
    one(
      `SELECT run, started_ms AS startedMs, ended_ms AS endedMs, running_ms AS runningMs, fetched, truncated, bytes FROM job_run`,
    ),
  ).toEqual({ run: 2, startedMs: 5, endedMs: 9, runningMs: 3, fetched: 4, truncated: 0, bytes: 70 })
  run(`DELETE FROM host`)
  run(`DELETE FROM job`)
  expect(one(`SELECT COUNT(*) AS runs FROM job_run`)).toEqual({ runs: 0 })
})
