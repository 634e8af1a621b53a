/** The only access to the database: opening, migration, statements and transactions. An archive has one SQLite file (WAL), opened by
 *  one engine at a time. The statements of each layer are in its own `*.sql.ts` files. */
import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import type { Shell } from '../contract/calls/caller.ts'
import { makeClosedFile } from '../world/closedFile.ts'
import { migrate } from './schema/migrations.ts'
import { guardTriggers } from './schema/triggers.ts'
import { offerPatterns } from './sqlite/patterns.ts'
import { guarded } from './sqlite/storageFault.ts'
import { withUnseenValues } from './sqlite/unseenValues.ts'

export { faultCodeOfStorage, StorageFault } from './sqlite/storageFault.ts'

/** Time that a statement waits for the write of another connection before it fails: longer than any transaction of Loupe takes. */
const busyMsMax = 10_000

/** Prepared statements kept per connection. Loupe has some five hundred; a search builds further ones from its filters. */
const statementsKeptMax = 1_000

/** A statement with named parameters (`@name`). Its methods throw `StorageFault` for faults of the disk or the file. */
export interface Statement<Input extends object, Row> {
  /** Runs the statement and returns the number of changed rows. */
  run(input: Input): number
  /** Returns the first row; undefined when there is none. */
  get(input: Input): Row | undefined
  all(input: Input): Row[]
  /** Whether it changes nothing, as SQLite sees it (`sqlite3_stmt_readonly`). */
  readonly isReadOnly: boolean
}

/** Origin of a connection's writes, recorded in entries of the audit log. */
export interface StoreUser {
  account: string
  host: string
  /** Shell in which the process was started. */
  shell: Shell
}

/** A connection to a database. */
export interface Store {
  /** User for audit entries; undefined for connections that write no audit log, and in tests. */
  readonly user: StoreUser | undefined
  /** Returns the statement for this text, prepared at its first use and once per connection. Preparing all statements of an engine
   *  would take longer than the rest of its start, and few of them are needed then. Column values have SQLite's types: INTEGER as
   *  number, TEXT as string, BLOB as Buffer. */
  statement<Input extends object, Row = never>(sql: string): Statement<Input, Row>
  /** Runs `act` in one transaction (BEGIN IMMEDIATE), and rolls it back when it throws. Within another transaction it is a
   *  savepoint. */
  transaction<T>(act: () => T): T
  /** Runs `act` in a transaction that does not wait for the disk. It survives the end of the process, but a power failure may undo it,
   *  together with everything since the last `transaction`. For changes that every start would undo anyway. Within another transaction
   *  it is part of that one and as durable. */
  unsyncedTransaction<T>(act: () => T): T
  /** Writes all committed changes to the database file and empties the journal, so that no deleted bytes are left in it. Returns
   *  false, without waiting, when another connection is using the journal. */
  emptyJournal(): boolean
  close(): void
}

const inMemory = ':memory:'
/** Image of an empty database with the newest schema. The fault suite opens thousands of databases in memory, and creating the schema
 *  takes fifty times as long as copying this image. */
let emptyImage: Buffer | undefined

/** Pages collected in the journal before they are written to the database file: 64 MB at the usual page size. Pages of an index change
 *  repeatedly meanwhile: at SQLite's default of 1,000, nearly every commit of a harvest wrote all of its pages twice
 *  (`bench/frontier.ts`: 295 page cycles per second then, 390 now). */
const journalPagesMax = 16_000

/** A function that statements may call. */
export type SqlFunction = (...values: unknown[]) => string | number | null

/** How a derived database is opened. */
export interface DerivedOptions {
  /** A commit waits for the disk. */
  isSynced?: boolean
  /** Functions of its statements, by name. The same values must always give the same result. */
  functions?: Readonly<Record<string, SqlFunction>>
}

interface StoreOptions {
  /** Size of the page cache in bytes. */
  cacheBytes?: number
  user?: StoreUser | undefined
}

/** Opens or creates the database of an archive and migrates it to the newest schema. `path` may be ':memory:'. Throws `StorageFault`. */
export function openStore(path: string, { cacheBytes = 16_000_000, user }: StoreOptions = {}): Store {
  return guarded(path, () => {
    makeFile(path)
    const database = new Database(path === inMemory ? (emptyImage ?? path) : path, { timeout: busyMsMax })
    try {
      database.pragma('journal_mode = WAL')
      // FULL: committed documents survive a power failure. Commits are batched, so there are only a few fsyncs per second.
      database.pragma('synchronous = FULL')
      database.pragma('foreign_keys = ON')
      // Deleted bytes are overwritten: session cookies must not stay readable in free pages.
      database.pragma('secure_delete = ON')
      database.pragma(`wal_autocheckpoint = ${journalPagesMax}`)
      // A negative value is in KiB instead of pages.
      database.pragma(`cache_size = ${-Math.ceil(cacheBytes / 1024)}`)
      offerSha256(database)
      offerPatterns(database)
      migrate(database, path)
      guard(database)
      if (path === inMemory) emptyImage ??= database.serialize()
    } catch (error) {
      database.close()
      throw error
    }
    return storeOver(database, path, user)
  })
}

/** Opens the database of an archive read-only, in addition to the engine's connection, for long reports in separate threads. Throws
 *  `StorageFault`. */
export function openReader(path: string): Store {
  return guarded(path, () => {
    const database = new Database(path, { timeout: busyMsMax, readonly: true, fileMustExist: true })
    offerPatterns(database)
    return storeOver(database, path)
  })
}

/** Opens a database that can be rebuilt (an index): one schema, no migrations, no fsync per commit unless `isSynced`. `schema` is run when the
 *  file is new. Throws `StorageFault`; a damaged file can be deleted and rebuilt. */
export function openDerived(
  path: string,
  schema: string,
  { isSynced = false, functions = {} }: DerivedOptions = {},
): Store {
  const settings = [
    'journal_mode = WAL',
    `synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`,
    `wal_autocheckpoint = ${journalPagesMax}`,
  ]
  return derivedWith(path, { schema, settings, functions })
}

/** Opens a derived database while it is being built. No other connection may open it: its journal is in memory and nothing waits for
 *  the disk, so after a crash or power failure its content is undefined and it must be deleted. To keep it, open it once with
 *  `openDerived` and write to it: closing that connection syncs everything. */
export function openScratch(path: string, schema: string): Store {
  const settings = ['locking_mode = EXCLUSIVE', 'journal_mode = MEMORY', 'synchronous = OFF']
  return derivedWith(path, { schema, settings, functions: {} })
}

interface Derived {
  schema: string
  settings: readonly string[]
  functions: Readonly<Record<string, SqlFunction>>
}

function derivedWith(path: string, { schema, settings, functions }: Derived): Store {
  return guarded(path, () => {
    makeFile(path)
    const database = new Database(path, { timeout: busyMsMax })
    try {
      for (const setting of settings) database.pragma(setting)
      for (const [name, answer] of Object.entries(functions))
        database.function(name, { deterministic: true, directOnly: true, varargs: true }, answer)
      // In one transaction: a partial schema would be taken for a complete one at the next start.
      const isNew = Number(database.pragma('schema_version', { simple: true })) === 0
      if (isNew) database.transaction(() => database.exec(schema))()
    } catch (error) {
      database.close()
      throw error
    }
    return storeOver(database, path)
  })
}

/** Creates the file with closed permissions: SQLite would make it readable for every account that can enter its folder. */
function makeFile(path: string): void {
  if (path !== inMemory) makeClosedFile(path)
}

function storeOver(database: Database.Database, path: string, user?: StoreUser): Store {
  const immediate = (act: () => unknown) => database.transaction(act).immediate()
  const unsynced = (act: () => unknown) => {
    if (database.inTransaction) return act()
    database.exec('PRAGMA synchronous = NORMAL')
    try {
      return act()
    } finally {
      database.exec('PRAGMA synchronous = FULL')
    }
  }
  const statementOf = remembered((sql) => prepared(database, path, sql))
  return {
    user,
    statement: <Input extends object, Row>(sql: string) => statementOf(sql) as Statement<Input, Row>,
    transaction: <T>(act: () => T) => guarded(path, () => immediate(act) as T),
    unsyncedTransaction: <T>(act: () => T) => guarded(path, () => unsynced(() => immediate(act)) as T),
    emptyJournal: () => guarded(path, () => emptied(database)),
    close: () => void database.close(),
  }
}

/** Caches the results for the last `statementsKeptMax` texts. A PRAGMA is not cached, because it returns the value of the time when it
 *  was prepared. */
function remembered(make: (sql: string) => Statement<object, unknown>): (sql: string) => Statement<object, unknown> {
  const known = new Map<string, Statement<object, unknown>>()
  return (sql) => {
    const made = known.get(sql) ?? make(sql)
    if (/^\s*PRAGMA\b/i.test(sql)) return made
    known.delete(sql)
    known.set(sql, made)
    if (known.size > statementsKeptMax) {
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    }
    return made
  }
}

function prepared(database: Database.Database, path: string, sql: string): Statement<object, unknown> {
  let statement: Database.Statement<[object]> | undefined
  const ready = () => (statement ??= database.prepare<[object]>(withUnseenValues(sql)))
  return {
    run: (input) => guarded(path, () => ready().run(input).changes),
    get: (input) => guarded(path, () => ready().get(input)),
    all: (input) => guarded(path, () => ready().all(input)),
    get isReadOnly() {
      return guarded(path, () => ready().readonly)
    },
  }
}

function emptied(database: Database.Database): boolean {
  database.pragma('busy_timeout = 0')
  try {
    const [done] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
    return done.busy === 0
  } finally {
    database.pragma(`busy_timeout = ${busyMsMax}`)
  }
}

/** Adds the SQL function `sha256(text)`: the statement that adds an entry to the audit log hashes the values as they are stored. */
function offerSha256(database: Database.Database): void {
  database.function('sha256', { deterministic: true, directOnly: true }, (text: unknown) =>
    createHash('sha256').update(String(text)).digest('hex'),
  )
}

/** Creates the triggers that enforce state transitions, and replaces those that differ. Writes nothing when all are right, so that an
 *  archive on a full disk can still be opened. */
function guard(database: Database.Database): void {
  const present = database.prepare<[string], { sql: string }>(
    "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?",
  )
  const stale = guardTriggers().filter(({ name, sql }) => present.get(name)?.sql !== sql)
  database.transaction(() => {
    for (const { name, sql } of stale) database.exec(`DROP TRIGGER IF EXISTS ${name}; ${sql}`)
  })()
}
