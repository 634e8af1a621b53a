/** Copies of a database that is in use: taken in steps while it is written, checked, and written out without anything that was
 *  deleted. Deliberately not here: where copies are kept and what they are called (see `archive/backup/`). */
import Database from 'better-sqlite3'
import { guarded, storageFaultOf } from './sqlite/storageFault.ts'

/** Pages copied before the thread hears of a stop: 1 MB at SQLite's usual page size. */
const stepPagesCount = 256

/** Problems given of one database: the first ones show what is damaged. */
const problemsCountMax = 20

/** These tables have been in every schema of Loupe: another program's database does not pass for ours. */
const knownTables = ['harvest', 'job', 'archive_file']

export interface WorkOptions {
  signal: AbortSignal
  /** A share of the whole, from 0 to 1. */
  onProgress?: (share: number) => void
}

/** Copies every page of `source` to `target`, as the database was when the copy began: SQLite's online backup. It holds one read
 *  transaction meanwhile, so in WAL mode no writer waits and no write makes the copy begin again. `target` is absent or empty;
 *  it is not synced. Rejects with `StorageFault`, or with the signal's reason. */
export async function snapshotDatabase(
  { source, target }: { source: string; target: string },
  { signal, onProgress }: WorkOptions,
): Promise<void> {
  signal.throwIfAborted()
  const database = guarded(source, () => new Database(source, { readonly: true, fileMustExist: true }))
  try {
    guarded(source, () => {
      database.exec('BEGIN')
      // A transaction that has read nothing holds nothing.
      database.prepare('SELECT COUNT(*) FROM sqlite_schema').get()
    })
    await database.backup(target, {
      progress({ totalPages, remainingPages }) {
        onProgress?.(1 - remainingPages / totalPages)
        signal.throwIfAborted()
        return stepPagesCount
      },
    })
    guarded(target, () => withoutJournal(target))
  } catch (error) {
    const isFull = error instanceof Database.SqliteError && error.code === 'SQLITE_FULL'
    throw storageFaultOf(isFull ? target : source, error)
  } finally {
    database.close()
  }
}

/** A copied page says that the database has a journal (WAL). Opened like that, even to be read, it would get files next to it. */
function withoutJournal(path: string): void {
  const database = new Database(path)
  try {
    for (const setting of ['locking_mode = EXCLUSIVE', 'journal_mode = DELETE']) database.pragma(setting)
  } finally {
    database.close()
  }
}

/** Writes the content of a snapshot to `target`, without the rows of the tables `leftOut` and without the remains of anything that
 *  was ever deleted, which a copy of the pages still has. The same content always gives the same bytes. The snapshot is changed
 *  by it; `target` is absent or empty, and not synced. Throws `StorageFault`. */
export function writeCompact(
  { snapshot, target }: { snapshot: string; target: string },
  { leftOut }: { leftOut: readonly string[] },
): void {
  const database = guarded(snapshot, () => new Database(snapshot, { fileMustExist: true }))
  try {
    guarded(snapshot, () => {
      // No one else opens it, and after a kill it is deleted, so it needs no journal.
      for (const setting of ['locking_mode = EXCLUSIVE', 'journal_mode = OFF', 'synchronous = OFF'])
        database.pragma(setting)
      for (const table of leftOut) database.exec(`DELETE FROM ${table}`)
    })
    guarded(target, () => database.prepare('VACUUM INTO ?').run(target))
  } finally {
    database.close()
  }
}

export interface DatabaseCheck {
  /** What `integrity_check` says is wrong; empty: the database is whole. */
  problems: string[]
  /** 0 when it cannot be read, or is no database of Loupe. */
  schemaVersion: number
}

/** Reads a database from beginning to end and says what is wrong with it. `database` is a path, or the bytes themselves. It takes
 *  as long as the database is large (some 20 s per GB): for a thread. Rejects with `StorageFault` only where the file could not
 *  be read at all, or with the signal's reason. */
export async function checkDatabase(database: string | Uint8Array, options: WorkOptions): Promise<DatabaseCheck> {
  const path = typeof database === 'string' ? database : 'in memory'
  try {
    return await checked(database, options)
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !isDamage(error.code)) throw storageFaultOf(path, error)
    return { problems: [error.message], schemaVersion: 0 }
  }
}

async function checked(given: string | Uint8Array, { signal, onProgress }: WorkOptions): Promise<DatabaseCheck> {
  const database =
    typeof given === 'string'
      ? new Database(given, { readonly: true, fileMustExist: true })
      : new Database(Buffer.from(given))
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
      .pluck()
      .all()
    if (!knownTables.every((name) => tables.includes(name)))
      return { problems: ['it is no database of Loupe'], schemaVersion: 0 }
    // The structure as a whole, then every table with its indexes: together they are what `integrity_check` does without a
    // name, which cannot be stopped and takes minutes for a large archive.
    const checks = ['quick_check', ...tables.map((name) => `integrity_check("${name}")`)]
    const problems: string[] = []
    for (const [index, check] of checks.entries()) {
      // A stop is heard between two of them.
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      onProgress?.(index / checks.length)
      problems.push(...database.prepare<[], string>(`PRAGMA ${check}`).pluck().all())
    }
    return {
      problems: problems.filter((text) => text !== 'ok').slice(0, problemsCountMax),
      schemaVersion: Number(database.pragma('user_version', { simple: true })),
    }
  } finally {
    database.close()
  }
}

function isDamage(code: string): boolean {
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
}
