import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdLock } from './lock.ts'
import { newestSchemaVersion } from './schema/migrations.ts'
import { openDerived, openStore, openScratch, StorageFault } from './storage.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-storage-'))
})
afterAll(() => rm(folder, { recursive: true }))

function caught(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

function storageFault(act: () => unknown): string {
  const error = caught(act)
  if (!(error instanceof StorageFault)) throw new Error('no storage fault', { cause: error })
  return error.code
}

describe('the schema', () => {
  test('is created in a new database and unchanged when it is opened again', () => {
    const path = join(folder, 'new.sqlite')
    openStore(path).close()
    const schema = schemaOf(path)
    expect(schema.version).toBe(newestSchemaVersion)
    expect(schema.names).toEqual(expect.arrayContaining(['job', 'document', 'archive_file', 'job_state_moves']))
    openStore(path).close()
    expect(schemaOf(path)).toEqual(schema)
  })
  test('refuses a database of a newer version and leaves it unchanged', () => {
    const path = join(folder, 'newer.sqlite')
    const newer = new Database(path)
    newer.exec('CREATE TABLE of_the_future (x)')
    newer.pragma(`user_version = ${newestSchemaVersion + 1}`)
    newer.close()
    expect(storageFault(() => openStore(path))).toBe('newer')
    expect(schemaOf(path)).toEqual({ version: newestSchemaVersion + 1, names: ['of_the_future'] })
  })
  function schemaOf(path: string): { version: unknown; names: unknown[] } {
    const database = new Database(path, { readonly: true })
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all()
    const version = database.pragma('user_version', { simple: true })
    database.close()
    return { version, names }
  }
})

describe('damage on disk', () => {
  test('a file that is not a database', async () => {
    const path = join(folder, 'text.sqlite')
    await writeFile(path, 'this is not a database, whatever its name says\n'.repeat(100))
    expect(storageFault(() => openStore(path))).toBe('damaged')
    expect(storageFault(() => openDerived(path, 'CREATE TABLE t (x)'))).toBe('damaged')
    // The file is not overwritten, so that users can inspect it.
    expect((await readFile(path, 'utf8')).startsWith('this is not a database')).toBe(true)
  })
  test('overwritten pages are reported by the first statement that reads them', async () => {
    const path = join(folder, 'damaged.sqlite')
    const store = openStore(path)
    const insert = store.statement<{ name: string }>(
      "INSERT INTO harvest (name, kind, definition, created_ms) VALUES (@name, 'event', '{}', 0)",
    )
    store.transaction(() => {
      for (let row = 0; row < 2000; row++) insert.run({ name: `harvest ${row} `.repeat(10) })
    })
    store.close()
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    await file.write(Buffer.alloc(Math.floor(size / 2), 0xff), 0, Math.floor(size / 2), Math.floor(size / 2))
    await file.close()
    expect(
      storageFault(() => openStore(path).statement<object, object>('SELECT * FROM harvest ORDER BY name').all({})),
    ).toBe('damaged')
  })
  test('a folder in place of the file, and a missing folder', () => {
    expect(storageFault(() => openStore(folder))).toBe('denied')
    const error = caught(() => openStore(join(folder, 'absent', 'x.sqlite')))
    expect(error).toBeInstanceOf(Error)
  })
})

describe('statements and transactions', () => {
  const store = openStore(':memory:')
  const insert = store.statement<{ name: string }>(
    "INSERT INTO harvest (name, kind, definition, created_ms) VALUES (@name, 'event', '{}', 0)",
  )
  const names = store.statement<object, { name: string }>('SELECT name FROM harvest ORDER BY id')
  const all = () => names.all({}).map(({ name }) => name)
  afterAll(() => store.close())

  test('run, get and all', () => {
    expect(insert.run({ name: 'a' })).toBe(1)
    expect(insert.run({ name: 'b' })).toBe(1)
    expect(all()).toEqual(['a', 'b'])
    expect(names.get({})).toEqual({ name: 'a' })
    expect(
      store.statement<{ name: string }, object>('SELECT 1 FROM harvest WHERE name = @name').get({ name: 'z' }),
    ).toBeUndefined()
  })
  test('a transaction returns its value; an exception undoes it and is rethrown', () => {
    expect(store.transaction(() => (insert.run({ name: 'c' }), 'value'))).toBe('value')
    const bug = new Error('a bug')
    expect(
      caught(() =>
        store.transaction(() => {
          insert.run({ name: 'd' })
          throw bug
        }),
      ),
    ).toBe(bug)
    expect(all()).toEqual(['a', 'b', 'c'])
  })
  test('an inner transaction undoes only itself', () => {
    store.transaction(() => {
      insert.run({ name: 'outer' })
      caught(() =>
        store.transaction(() => {
          insert.run({ name: 'inner' })
          throw new Error('only this')
        }),
      )
    })
    expect(all()).toEqual(['a', 'b', 'c', 'outer'])
  })
  test('an unsynced transaction is atomic, and later transactions are synced again', () => {
    // SQLite evaluates the pragma when the statement is prepared.
    const synchronous = () =>
      store.statement<object, { synchronous: number }>('PRAGMA synchronous').get({})?.synchronous
    const [normal, full] = [1, 2]
    expect(store.unsyncedTransaction(synchronous)).toBe(normal)
    const undone = caught(() =>
      store.unsyncedTransaction(() => {
        insert.run({ name: 'unsynced' })
        throw new Error('undone')
      }),
    )
    expect(undone).toBeInstanceOf(Error)
    expect(synchronous()).toBe(full)
    expect(store.transaction(() => store.unsyncedTransaction(synchronous))).toBe(full)
    expect(all()).toEqual(['a', 'b', 'c', 'outer'])
  })
  test('equal text gives the same statement, and a PRAGMA is prepared again', () => {
    const sql = 'SELECT COUNT(*) AS count FROM harvest'
    expect(store.statement(sql)).toBe(store.statement(sql))
    expect(store.statement('PRAGMA synchronous')).not.toBe(store.statement('PRAGMA synchronous'))
  })
  test('statements in use stay cached; the least recently used one is dropped', () => {
    const used = store.statement('SELECT 1 AS used')
    const unused = store.statement('SELECT 1 AS unused')
    for (let value = 0; value < 1_000; value++) {
      store.statement(`SELECT ${value} AS value`)
      expect(store.statement('SELECT 1 AS used')).toBe(used)
    }
    expect(store.statement('SELECT 1 AS unused')).not.toBe(unused)
    // A caller that still has it can use it.
    expect(unused.all({})).toEqual([{ unused: 1 }])
  })
  test('a row of the wrong shape is a bug, not a fault', () => {
    const error = caught(() =>
      store
        .statement<object>("INSERT INTO harvest (name, kind, definition, created_ms) VALUES ('x', 'nonsense', '{}', 0)")
        .run({}),
    )
    expect(error).not.toBeInstanceOf(StorageFault)
    expect(error).toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' })
  })
  test('references are enforced', () => {
    const error = caught(() =>
      store.statement<object>("INSERT INTO job (harvest_id, state, created_ms) VALUES (999, 'INACTIVE', 0)").run({}),
    )
    expect(error).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
  })
})

describe('a derived database', () => {
  const schema = 'CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT); CREATE INDEX entry_by_value ON entry (value)'

  test('runs its schema once and keeps its rows', () => {
    const path = join(folder, 'derived.sqlite')
    const first = openDerived(path, schema)
    first.statement<{ key: string }>("INSERT INTO entry VALUES (@key, '')").run({ key: 'kept' })
    first.close()
    const second = openDerived(path, schema)
    expect(second.statement<object, { key: string }>('SELECT key FROM entry').all({})).toEqual([{ key: 'kept' }])
    second.close()
  })
  test.each([
    [false, 1],
    [true, 2],
  ])('its commits are synced on request: %s', (isSynced, synchronous) => {
    const derived = openDerived(join(folder, 'synced.sqlite'), schema, { isSynced })
    expect(derived.statement('PRAGMA synchronous').get({})).toEqual({ synchronous })
    derived.close()
  })
  test('created without a journal on disk, it is like any other when it is opened again', () => {
    const path = join(folder, 'unkept.sqlite')
    const made = openScratch(path, schema)
    made.transaction(() => {
      for (const key of ['one', 'two'])
        made.statement<{ key: string }>("INSERT INTO entry VALUES (@key, '')").run({ key })
      expect(existsSync(`${path}-wal`) || existsSync(`${path}-journal`)).toBe(false)
    })
    made.close()
    const [writer, reader] = [openDerived(path, schema), openDerived(path, schema)]
    const count = () =>
      reader.statement<object, { count: number }>('SELECT count(*) AS count FROM entry').get({})?.count
    expect(count()).toBe(2)
    writer.transaction(() => {
      writer.statement<object>("INSERT INTO entry VALUES ('three', '')").run({})
      // A reader in addition to the writer, as in WAL.
      expect(count()).toBe(2)
    })
    expect(count()).toBe(3)
    reader.close()
    writer.close()
  })
  test('an incomplete schema is created again', () => {
    const path = join(folder, 'half.sqlite')
    expect(caught(() => openDerived(path, `${schema}; CREATE TABLE entry (again)`))).toBeInstanceOf(Error)
    const store = openDerived(path, schema)
    expect(store.statement<object, object>('SELECT key FROM entry').all({})).toEqual([])
    store.close()
  })
})

describe.skipIf(process.platform === 'win32')('permissions of database files', () => {
  test.each([
    [0o700, '600'],
    [0o2770, '660'],
    // Other accounts cannot read the database even in a shared folder: it contains login sessions.
    [0o755, '600'],
  ])('in a folder with permissions %o', (folderMode, expected) => {
    const own = join(folder, `mode-${folderMode.toString(8)}`)
    mkdirSync(own)
    chmodSync(own, folderMode)
    const modesOf = (name: string) =>
      ['', '-wal', '-shm'].map((suffix) => (statSync(join(own, name + suffix)).mode & 0o777).toString(8))
    const stores = [openStore(join(own, 'main')), openDerived(join(own, 'index'), 'CREATE TABLE a (b)')]
    expect([modesOf('main'), modesOf('index')]).toEqual([
      [expected, expected, expected],
      [expected, expected, expected],
    ])
    for (const store of stores) store.close()
    openScratch(join(own, 'unkept'), 'CREATE TABLE a (b)').close()
    holdLock(join(own, 'lock'))?.release()
    for (const name of ['unkept', 'lock'])
      expect((statSync(join(own, name)).mode & 0o777).toString(8), name).toBe(expected)
  })
})
