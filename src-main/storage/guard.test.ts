import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { jobStates } from '../contract/states/states.ts'
import { mover } from './guard.ts'
import { openStore } from './storage.ts'
import { ruledColumns } from './schema/triggers.ts'

const store = openStore(':memory:')
afterAll(() => store.close())

/** A row of each table that a machine rules, with nothing but what the schema demands. */
const rowOf: Record<string, string> = {
  job: "INSERT INTO job (id, harvest_id, state, created_ms) VALUES (@id, 1, 'INACTIVE', 0)",
  document: `INSERT INTO document (id, job_id, url_key, url, host_id, state, role, hop_path, hops, due_ms)
             VALUES (@id, 1, randomblob(32), '', 1, 'PENDING', 'page', '', 0, 0)`,
  replica_file:
    "INSERT INTO replica_file (id, file_id, replica, upload_state) VALUES (@id, 1, 'r' || @id, 'UPLOAD_STARTED')",
  imported_file: `INSERT INTO imported_file (id, job_id, path, entry, kind, state, bytes_total)
                  VALUES (@id, 1, 'p' || @id, '', 'WARC', 'WAITING', 0)`,
  task: `INSERT INTO task (id, kind, subject, state, started_by, started_ms) VALUES (@id, 'export', '{}', 'WAITING', 'user', 0)`,
  authority_connector: `INSERT INTO authority_connector (id, kind, name, state) VALUES (@id, 'authority', 'c' || @id, 'INSTALLED')`,
  connector: `INSERT INTO connector (id, name, kind, version, state) VALUES (@id, 'c' || @id, 'output', 1, 'INSTALLED')`,
  output_connector: `INSERT INTO output_connector (id, name, module, state) VALUES (@id, 'c' || @id, '/m.mjs', 'INSTALLING')`,
  output_notice: `INSERT INTO output_notice (id, output_id, job_id, run, kind, state, pending_id, due_ms)
                  VALUES (@id, 1, @id, 1, 'completed', 'WAITING', 0, 0)`,
  miss: `INSERT INTO miss (id, job_id, url_key, url, host, path, resource_type, source, state, reason, first_ms, last_ms, times)
         VALUES (@id, 1, randomblob(32), '', '', '', '', 'browsing', 'OPEN', 'neverFound', 0, 0, 1)`,
  page_audit_page: "INSERT INTO page_audit_page (id, audit_id, url, state) VALUES (@id, 1, '', 'QUEUED')",
  delivery_status: `INSERT INTO delivery_status (id, document_id, destination_id, state, changed_ms)
                    VALUES (@id, 1, @id, 'PROCESSING', 0)`,
}
store
  .statement<object>("INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (1, '', 'event', '{}', 0)")
  .run({})
store.statement<object>(rowOf['job'] ?? '').run({ id: 1 })
store.statement<object>("INSERT INTO host (id, job_id, origin) VALUES (1, 1, 'http://a.test:80')").run({})
store
  .statement<object>(
    "INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms) VALUES (1, 'a', 0, '', 'content', 0)",
  )
  .run({})

store
  .statement<object>(
    "INSERT INTO delivery_plan (id, name, version, plan, toml, created_ms) VALUES (1, 'p', 1, '{}', '', 0)",
  )
  .run({})
store
  .statement<object>(
    "INSERT INTO output (id, name, description, settings, steps, requests_max) VALUES (1, 'o', '', '{}', '[]', 1)",
  )
  .run({})
store.statement<object>("INSERT INTO delivery_scanner (id, plan_id, name) VALUES (1, 1, 's')").run({})
store.statement<object>("INSERT INTO delivery_document (id, scanner_id, key, hash) VALUES (1, 1, 'd', '')").run({})

store
  .statement<object>(
    "INSERT INTO task (id, kind, subject, state, started_by, started_ms) VALUES (1, 'pageAudit', '{}', 'RUNNING', 'user', 0)",
  )
  .run({})
store.statement<object>("INSERT INTO page_audit (task_id, job_id, request) VALUES (1, 1, '{}')").run({})

let lastId = 100
/** A new row, in `state` from the beginning: the trigger rules changes, not births. */
function rowIn(table: string, column: string, state: string): number {
  const sql = rowOf[table]
  if (sql === undefined) throw new Error(`no row for ${table}`)
  lastId += 1
  if (table === 'delivery_status')
    store
      .statement<object>("INSERT INTO delivery_destination (id, scanner_id, name) VALUES (@id, 1, 'd' || @id)")
      .run({ id: lastId })
  const initial = ruledColumns.find((ruled) => ruled.table === table && ruled.column === column)?.machine.initial ?? ''
  store
    .statement<object>(
      column === 'preservation_state' ? asPreserved(sql, state) : sql.replace(`'${initial}'`, `'${state}'`),
    )
    .run({ id: lastId })
  return lastId
}
function asPreserved(sql: string, state: string): string {
  return sql
    .replace('upload_state)', 'upload_state, preservation_state)')
    .replace("'UPLOAD_STARTED')", `'UPLOAD_STARTED', '${state}')`)
}

describe.each(ruledColumns)('$machine.name rules $column of $table', ({ table, column, machine }) => {
  const read = store.statement<{ id: number }, { state: string }>(
    `SELECT ${column} AS state FROM ${table} WHERE id = @id`,
  )
  const write = store.statement<{ id: number; to: string }>(`UPDATE ${table} SET ${column} = @to WHERE id = @id`)
  const states = [...machine.states, 'NONSENSE']
  const pairs = machine.states.flatMap((from) => states.map((to) => ({ from, to })))

  test.each(pairs)('$from to $to', ({ from, to }) => {
    const id = rowIn(table, column, from)
    const inTable = from === to || machine.moves.some((move) => move.from === from && move.to === to)
    if (inTable) write.run({ id, to })
    else expect(() => write.run({ id, to })).toThrow(`${machine.name} has no such move`)
    expect(read.get({ id })?.state).toBe(inTable ? to : from)
  })

  test('performs exactly the moves of the table, for every state and event', () => {
    const move = mover(store, machine, { table, column })
    const events = new Set(machine.moves.map(({ event }) => event))
    for (const from of machine.states) {
      for (const event of events) {
        const id = rowIn(table, column, from)
        const next = machine.next(from, event)
        expect(move(id, event), `${from} on ${event}`).toBe(next)
        expect(read.get({ id })?.state).toBe(next ?? from)
      }
    }
    expect(move(999_999, machine.moves[0]?.event ?? '')).toBeUndefined()
  })
})

describe('mover', () => {
  const move = mover(store, jobStates, { table: 'job' })
  const states = store.statement<object, { state: string }>('SELECT state FROM job WHERE id IN (501, 502) ORDER BY id')
  beforeEach(() => {
    store.statement<object>('DELETE FROM job WHERE id IN (501, 502)').run({})
    for (const id of [501, 502]) store.statement<object>(rowOf['job'] ?? '').run({ id })
  })

  test('moves one row only', () => {
    expect(move(501, 'start')).toBe('READYFORSTARTUP')
    expect(states.all({}).map(({ state }) => state)).toEqual(['READYFORSTARTUP', 'INACTIVE'])
  })
  test('of two that attempt the same move one is refused', () => {
    expect([move(501, 'start'), move(501, 'start')]).toEqual(['READYFORSTARTUP', undefined])
  })
  test('a failed transaction undoes the move', () => {
    expect(() =>
      store.transaction(() => {
        move(501, 'start')
        throw new Error('afterwards')
      }),
    ).toThrow('afterwards')
    expect(states.all({}).map(({ state }) => state)).toEqual(['INACTIVE', 'INACTIVE'])
  })
})
