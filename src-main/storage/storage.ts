/** The only door to the database: open, migrate, statements, transactions. One SQLite file an archive (WAL), opened by one
 *  engine at a time. It does not know what the tables mean: each floor keeps its statements in its own `*.sql.ts` file. */
import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import type { AuditShell } from '../contract/shapes/choices.ts'
import { migrations } from './migrations.ts'
import { offerPatterns } from './patterns.ts'
import { guardTriggers } from './triggers.ts'
import { withUnseenValues } from './unseenValues.ts'
import { makeClosedFile } from '../world/closedFile.ts'

/** How long a statement waits for another connection's write before it fails: longer than any transaction of ours takes. */
const busyMsMax = 10_000

export interface Statement<Input extends object, Row> {
  /** Rows changed. */
  run(input: Input): number
  get(input: Input): Row | undefined
  all(input: Input): Row[]
}

/** On whose behalf a connection writes; entries of the audit trail name it. */
export interface StoreUser {
  account: string
  host: string
  /** The shell of the process: one of `auditShells`. */
  shell: AuditShell
}

export interface Store {
  /** Undefined: a connection that adds nothing to the audit trail of an archive, or that of a test. */
  readonly user: StoreUser | undefined
  /** Prepared at its first use, and once: of the some hundred statements of an engine a start needs few, and preparing all took
   *  longer than all else of a start. Columns come back as SQLite has them: INTEGER number, TEXT string, BLOB Buffer. */
  statement<Input extends object, Row = never>(sql: string): Statement<Input, Row>
  /** Runs `act` in one transaction (BEGIN IMMEDIATE); an exception rolls it back. */
  transaction<T>(act: () => T): T
  /** The same without waiting for the disk: it outlives the process, but a power cut may take it back, alone or with what else
   *  came behind the last `transaction`. For what every start would undo anyhow. */
  fleeting<T>(act: () => T): T
  /** Writes all that is committed to its place and empties the journal, so that nothing of what was deleted lies there any more. False:
   *  another connection is using it, and nobody waited. */
  emptyJournal(): boolean
  close(): void
}

export type StorageFaultCode = 'damaged' | 'newer' | 'denied' | 'full' | 'failed'

export class StorageFault extends Error {
  readonly code: StorageFaultCode
  constructor(code: StorageFaultCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'StorageFault'
    this.code = code
  }
}

const inMemory = ':memory:'
/** An empty database of the newest schema: one in memory is opened thousands of times by a test that drives every position,
 *  and going through all steps of the schema takes fifty times as long as copying this. */
let emptyImage: Buffer | undefined

/** Pages that wait in the journal before they are written to their places: those of an index are changed again and again
 *  meanwhile, and at SQLite's own thousand nearly every commit of a harvest wrote all of its pages twice (`bench/frontier.ts`:
 *  295 page cycles a second then, 390 now). Some 64 MB of disk. */
const journalPagesMax = 16_000

interface StoreOptions {
  cacheBytes?: number
  user?: StoreUser | undefined
}

/** Opens (makes when absent) the database of an archive and brings it to the newest schema. `path` may be ':memory:';
 *  `cacheBytes`: pages kept in memory.
 *  Throws `StorageFault`: `damaged` (integrity), `newer` (made by a later Loupe), `denied`, `full`. */
export function openStore(path: string, { cacheBytes = 16_000_000, user }: StoreOptions = {}): Store {
  return guarded(path, () => {
    makeFile(path)
    const database = new Database(path === inMemory ? (emptyImage ?? path) : path, { timeout: busyMsMax })
    try {
      database.pragma('journal_mode = WAL')
      // FULL: a committed document survives a power cut too. Commits are batched, so the fsync is paid a few times a second.
      database.pragma('synchronous = FULL')
      database.pragma('foreign_keys = ON')
      // What is deleted is overwritten: sessions of logins must not stay readable in pages that are free.
      database.pragma('secure_delete = ON')
      database.pragma(`wal_autocheckpoint = ${journalPagesMax}`)
      // Negative: in KiB and not in pages.
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

/** The database of an archive that another connection keeps open, to look into and never to write: for long reports in a
 *  thread of their own. */
export function openReader(path: string): Store {
  return guarded(path, () => {
    const database = new Database(path, { timeout: busyMsMax, readonly: true, fileMustExist: true })
    offerPatterns(database)
    return storeOver(database, path)
  })
}

/** A database that holds only what can be derived again (an index): one schema, no migrations, no fsync at each commit.
 *  `schema` runs when the file is new. Throws `StorageFault`; a damaged one may simply be deleted and built anew. */
export function openDerived(path: string, schema: string): Store {
  return derivedWith(path, schema, ['journal_mode = WAL', 'synchronous = NORMAL'])
}

/** One that is being made, and that nobody else opens meanwhile: its journal lies in memory, and nothing waits for the disk. After a
 *  kill or a power cut nobody knows what it holds: it is thrown away then. To be kept it must be written once by `openDerived`,
 *  whose end waits for the disk with all that was written. */
export function openUnkept(path: string, schema: string): Store {
  return derivedWith(path, schema, ['locking_mode = EXCLUSIVE', 'journal_mode = MEMORY', 'synchronous = OFF'])
}

function derivedWith(path: string, schema: string, settings: readonly string[]): Store {
  return guarded(path, () => {
    makeFile(path)
    const database = new Database(path, { timeout: busyMsMax })
    try {
      for (const setting of settings) database.pragma(setting)
      // In one piece: half a schema would be taken for a whole one at the next start.
      const isNew = Number(database.pragma('schema_version', { simple: true })) === 0
      if (isNew) database.transaction(() => database.exec(schema))()
    } catch (error) {
      database.close()
      throw error
    }
    return storeOver(database, path)
  })
}

/** SQLite would make it readable by every account that may enter its folder. */
function makeFile(path: string): void {
  if (path !== inMemory) makeClosedFile(path)
}

function storeOver(database: Database.Database, path: string, user?: StoreUser): Store {
  const immediate = (act: () => unknown) => database.transaction(act).immediate()
  const unsynced = (act: () => unknown) => {
    // Within another transaction it is a part of that one, and as lasting.
    if (database.inTransaction) return act()
    database.exec('PRAGMA synchronous = NORMAL')
    try {
      return act()
    } finally {
      database.exec('PRAGMA synchronous = FULL')
    }
  }
  return {
    user,
    statement<Input extends object, Row>(sql: string): Statement<Input, Row> {
      let prepared: Database.Statement<[object], Row> | undefined
      const ready = () => (prepared ??= database.prepare<[object], Row>(withUnseenValues(sql)))
      return {
        run: (input) => guarded(path, () => ready().run(input).changes),
        get: (input) => guarded(path, () => ready().get(input)),
        all: (input) => guarded(path, () => ready().all(input)),
      }
    },
    transaction: <T>(act: () => T) => guarded(path, () => immediate(act) as T),
    fleeting: <T>(act: () => T) => guarded(path, () => unsynced(() => immediate(act)) as T),
    emptyJournal: () => guarded(path, () => emptied(database)),
    close: () => void database.close(),
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

/** `sha256(text)` in statements and migrations: the hash of an entry is made in the statement that adds it, of what was stored. */
function offerSha256(database: Database.Database): void {
  database.function('sha256', { deterministic: true, directOnly: true }, (text: unknown) =>
    createHash('sha256').update(String(text)).digest('hex'),
  )
}

/** Nothing is written when nothing has changed, so that an archive on a full disk can still be looked into. */
function guard(database: Database.Database): void {
  const present = database.prepare<[string], { sql: string }>(
    "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?",
  )
  const stale = guardTriggers().filter(({ name, sql }) => present.get(name)?.sql !== sql)
  database.transaction(() => {
    for (const { name, sql } of stale) database.exec(`DROP TRIGGER IF EXISTS ${name}; ${sql}`)
  })()
}

function migrate(database: Database.Database, path: string): void {
  const version = Number(database.pragma('user_version', { simple: true }))
  const newest = migrations.at(-1)?.number ?? 0
  if (version > newest) {
    throw new StorageFault(
      'newer',
      `${path} was made by a newer Loupe (schema ${version}, this one knows ${newest}): update Loupe`,
    )
  }
  for (const { number, sql, compactedWhere } of migrations.filter((migration) => migration.number > version)) {
    database.transaction(() => {
      database.exec(sql)
      database.pragma(`user_version = ${number}`)
    })()
    if (compactedWhere !== undefined && database.prepare(compactedWhere).get()) compact(database)
  }
}

/** A disk that is too full for a second copy of the database leaves it as it is. */
function compact(database: Database.Database): void {
  try {
    database.exec('VACUUM')
    emptied(database)
  } catch (error) {
    if (!(error instanceof Database.SqliteError && faultOfCode(error.code) === 'full')) throw error
  }
}

/** SQLite's refusals as `StorageFault`. */
export function guarded<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw storageFaultOf(path, error)
  }
}

/** A refusal of SQLite as `StorageFault`; anything else is given back as it is. */
export function storageFaultOf(path: string, error: unknown): unknown {
  const code = error instanceof Database.SqliteError ? faultOfCode(error.code) : undefined
  return code === undefined ? error : new StorageFault(code, faultText[code](path), { cause: error })
}

function faultOfCode(code: string): StorageFaultCode | undefined {
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return 'damaged'
  if (code === 'SQLITE_FULL') return 'full'
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM')
    return 'denied'
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return 'failed'
  return undefined
}

const faultText: Record<StorageFaultCode, (path: string) => string> = {
  damaged: (path) =>
    `the database ${path} is damaged: put a backup in its place, which "loupe backup list" names and "loupe backup restore" restores; the WARC files in the replicas are untouched, and without a backup "loupe recover" rebuilds the database from them`,
  newer: (path) => `the database ${path} was made by a newer Loupe: update this one`,
  denied: (path) => `the database ${path} cannot be opened or written: see to whom it belongs`,
  full: (path) => `no space is left for the database ${path}: make room, and start again`,
  failed: (path) => `the database ${path} could not be read or written: see whether the disk is well`,
}
