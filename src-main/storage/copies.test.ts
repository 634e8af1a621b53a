import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { message } from '../contract/words/message.ts'
import { textOf } from '../contract/words/render.ts'
import { checkDatabase, snapshotDatabase, writeCompact } from './copies.ts'
import { newestSchemaVersion } from './schema/migrations.ts'
import { openReader, openStore, StorageFault, type Store } from './storage.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-copies-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const never = new AbortController().signal
const check = (database: string | Uint8Array) => checkDatabase(database, { signal: never })
const session = 'session-cookie-to-be-erased'

function harvestAdder(store: Store) {
  return store.statement<{ name: string }>(
    "INSERT INTO harvest (name, kind, definition, created_ms) VALUES (@name, 'event', '{}', 0)",
  )
}

/** An archive's database with two thousand harvests and a job that is logged in. */
function filled(name: string): { path: string; store: Store } {
  const path = join(folder, name)
  const store = openStore(path)
  const add = harvestAdder(store)
  store.transaction(() => {
    for (let row = 0; row < 2_000; row++) add.run({ name: `harvest ${row} `.repeat(100) })
  })
  store.statement("INSERT INTO job (id, harvest_id, state, created_ms) VALUES (1, 1, 'ACTIVE', 0)").run({})
  addSession(store, session)
  return { path, store }
}

function addSession(store: Store, value: string): void {
  const sql = `INSERT INTO cookie (job_id, domain, path, name, value, is_host_only, is_secure, created_ms)
    VALUES (1, 'x.test', '/', @name, @value, 1, 1, 0)`
  store.statement<{ name: string; value: string }>(sql).run({ name: value, value })
}

async function copied(source: string, options: Partial<Parameters<typeof snapshotDatabase>[1]> = {}) {
  const snapshot = `${source}.snapshot-${copies}`
  const target = `${source}.copy-${copies}`
  copies += 1
  await snapshotDatabase({ source, target: snapshot }, { signal: never, ...options })
  const raw = readFileSync(snapshot)
  writeCompact({ snapshot, target }, { leftOut: ['cookie'] })
  return { raw, target, bytes: readFileSync(target) }
}
let copies = 0

test('a copy is the database at its start, whatever is written meanwhile, and blocks no writer', async () => {
  const { path, store } = filled('written.db')
  const before = store.statement<object, { count: number }>('SELECT COUNT(*) AS count FROM harvest').get({})?.count
  const add = harvestAdder(store)
  const shares: number[] = []
  const { target } = await copied(path, {
    onProgress(share) {
      shares.push(share)
      add.run({ name: 'written while the copy is made' })
    },
  })
  // Some steps, and none twice: a write of another connection makes SQLite begin again where no snapshot is held.
  expect(shares.length).toBeGreaterThan(0)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  const count = openReader(target).statement<object, { count: number }>('SELECT COUNT(*) AS count FROM harvest').get({})
  expect(count).toEqual({ count: before })
  const whole = { problems: [], schemaVersion: newestSchemaVersion }
  expect([await check(target), await check(readFileSync(target))]).toEqual([whole, whole])
  store.close()
  // It is opened as an archive's database like any other.
  const restored = openStore(target)
  harvestAdder(restored).run({ name: 'after' })
  restored.close()
})

test('a copy contains no session cookies, neither current nor deleted ones', async () => {
  const { path, store } = filled('sessions.db')
  const deleted = 'a-session-that-ended-yesterday'
  for (let row = 0; row < 200; row++) addSession(store, `${deleted}-${row}`)
  // Deletes as another program would: SQLite leaves the bytes in place.
  store.statement('PRAGMA secure_delete = OFF').get({})
  store.statement("DELETE FROM cookie WHERE name LIKE 'a-session%'").run({})
  const { raw, bytes } = await copied(path)
  // Else the test would say nothing.
  expect([raw.includes(session), raw.includes(deleted)]).toEqual([true, true])
  expect([bytes.includes(session), bytes.includes(deleted)]).toEqual([false, false])
  store.close()
})

test('equal content gives equal bytes, whatever was written and deleted in between, also after a restart', async () => {
  const { path, store } = filled('same.db')
  const first = await copied(path)
  const add = harvestAdder(store)
  for (let row = 0; row < 500; row++) add.run({ name: `for a moment ${row}` })
  store.statement("DELETE FROM harvest WHERE name LIKE 'for a moment%'").run({})
  store.close()
  const again = openStore(path)
  const second = await copied(path)
  expect(second.raw.equals(first.raw)).toBe(false)
  expect(second.bytes.equals(first.bytes)).toBe(true)
  harvestAdder(again).run({ name: 'new' })
  expect((await copied(path)).bytes.equals(first.bytes)).toBe(false)
  again.close()
})

test('a copy and a check can be stopped between two steps', async () => {
  const { path, store } = filled('stopped.db')
  const stopper = new AbortController()
  const stopped = copied(path, {
    signal: stopper.signal,
    onProgress: () => stopper.abort(new Error('no longer wanted')),
  })
  await expect(stopped).rejects.toThrow('no longer wanted')
  await expect(copied(path, { signal: stopper.signal })).rejects.toThrow('no longer wanted')
  await expect(checkDatabase(path, { signal: stopper.signal })).rejects.toThrow('no longer wanted')
  store.close()
})

/** Turns over every bit in a range of the file. */
function spoil(path: string, from: number, length: number): void {
  const bytes = readFileSync(path)
  for (let at = from; at < from + length; at++) bytes[at] = ~(bytes[at] ?? 0)
  writeFileSync(path, bytes)
}

test('damage of the database is detected in its snapshot, also in an index that the copy would rebuild', async () => {
  const { path, store } = filled('damaged.db')
  store.close()
  const database = new Database(path, { readonly: true })
  const root = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'job'")
    .pluck()
    .get()
  database.close()
  spoil(path, (Number(root) - 1) * 4096, 100)
  const target = join(folder, 'damaged.snapshot')
  await snapshotDatabase({ source: path, target }, { signal: never })
  expect((await check(target)).problems).not.toEqual([])
  // Neither the copy nor the check leaves files next to it.
  expect(readdirSync(folder).filter((name) => name.startsWith('damaged.snapshot'))).toEqual(['damaged.snapshot'])
})

const unreadable: [what: string, bytes: Buffer, problem: RegExp][] = [
  ['a text', Buffer.from('this is no database\n'.repeat(400)), /not a database/],
  ['nothing', Buffer.alloc(0), /not a database of Loupe/],
]
test.each(unreadable)('%s is not a copy', async (what, bytes, problem) => {
  const path = join(folder, `unreadable-${what}`)
  writeFileSync(path, bytes)
  const { problems, schemaVersion } = await check(path)
  expect([problems.map(textOf), schemaVersion]).toEqual([[expect.stringMatching(problem)], 0])
})

test('refuses half a copy and the database of another program', async () => {
  const { path, store } = filled('whole.db')
  const { bytes } = await copied(path)
  store.close()
  const half = join(folder, 'half')
  writeFileSync(half, bytes.subarray(0, bytes.length / 2))
  expect((await check(half)).problems).not.toEqual([])
  const other = join(folder, 'other')
  const database = new Database(other)
  database.exec('CREATE TABLE harvest (apples)')
  database.close()
  expect((await check(other)).problems).toEqual([message('database.other')])
})

test('a missing database and a copy without a folder are storage faults', async () => {
  const absent = join(folder, 'absent.db')
  await expect(snapshotDatabase({ source: absent, target: join(folder, 'x') }, { signal: never })).rejects.toThrow(StorageFault) // prettier-ignore
  await expect(check(absent)).rejects.toThrow(StorageFault)
  const { path, store } = filled('placeless.db')
  const snapshot = join(folder, 'placeless.snapshot')
  await snapshotDatabase({ source: path, target: snapshot }, { signal: never })
  expect(() => writeCompact({ snapshot, target: join(folder, 'nowhere', 'x') }, { leftOut: [] })).toThrow(StorageFault)
  store.close()
})

test('an existing empty file keeps its mode, so no other account can read the copy', async () => {
  const { path, store } = filled('mode.db')
  const [target, snapshot] = [join(folder, 'mode.copy'), join(folder, 'mode.snapshot')]
  for (const made of [target, snapshot]) writeFileSync(made, '', { mode: 0o600 })
  await snapshotDatabase({ source: path, target: snapshot }, { signal: never })
  writeCompact({ snapshot, target }, { leftOut: ['cookie'] })
  store.close()
  for (const made of [target, snapshot]) expect(statSync(made).mode & 0o777).toBe(0o600)
})
