/** Copies of a live database: taken in steps while it is written, checked, and written out without deleted data. Storage and names of
 *  copies are the task of `archive/backup/`. */
import Database from 'better-sqlite3'
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import { guarded, isFull, StorageFault, storageFaultOf } from './sqlite/storageFault.ts'

/** Pages copied between two checks of the abort signal: 1 MB at SQLite's usual page size. */
const stepPagesCount = 256

/** Maximum number of problems reported of one database; the first ones show what is damaged. */
const problemsCountMax = 20

/** Tables of every schema version of Loupe, by which other databases are recognised and refused. */
const knownTables = ['harvest', 'job', 'archive_file']

/** How a copy or a check of a database is stopped and watched. */
export interface WorkOptions {
  /** Stops the work at the next step: after 1 MB of a copy, or after one table of a check. */
  signal: AbortSignal
  /** Called with the progress from 0 to 1. */
  onProgress?: (share: number) => void
}

/** Copies every page of `source` to `target`, as of the start of the copy, by SQLite's online backup. One read transaction is held
 *  meanwhile, so in WAL mode writers do not wait, and writes do not restart the copy. `target` must be absent or empty; it is not
 *  synced. Rejects with `StorageFault`, or with the signal's reason. */
export async function snapshotDatabase(
  { source, target }: { source: string; target: string },
  { signal, onProgress }: WorkOptions,
): Promise<void> {
  signal.throwIfAborted()
  const database = guarded(source, () => new Database(source, { readonly: true, fileMustExist: true }))
  try {
    guarded(source, () => {
      database.exec('BEGIN')
      // A transaction holds a snapshot only after its first read.
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
    throw storageFaultOf(isFull(error) ? target : source, error)
  } finally {
    database.close()
  }
}

/** Switches the copy from WAL to rollback mode. The copied header says WAL, so opening the copy, even to read it, would create files
 *  next to it. */
function withoutJournal(path: string): void {
  const database = new Database(path)
  try {
    for (const setting of ['locking_mode = EXCLUSIVE', 'journal_mode = DELETE']) database.pragma(setting)
  } finally {
    database.close()
  }
}

/** Writes the content of a snapshot to `target`, without the rows of the tables `leftOut` and without remains of deleted data, which a
 *  copy of the pages still contains. The same content always gives the same bytes. The snapshot is modified; `target` must be absent
 *  or empty and is not synced. Throws `StorageFault`. */
export function writeCompact(
  { snapshot, target }: { snapshot: string; target: string },
  { leftOut }: { leftOut: readonly string[] },
): void {
  const database = guarded(snapshot, () => new Database(snapshot, { fileMustExist: true }))
  try {
    guarded(snapshot, () => {
      // No other connection opens the snapshot, and after a crash it is deleted, so it needs no journal.
      for (const setting of ['locking_mode = EXCLUSIVE', 'journal_mode = OFF', 'synchronous = OFF'])
        database.pragma(setting)
      for (const table of leftOut) database.exec(`DELETE FROM ${table}`)
    })
    guarded(target, () => database.prepare('VACUUM INTO ?').run(target))
  } finally {
    database.close()
  }
}

/** Result of `checkDatabase`. */
export interface DatabaseCheck {
  /** Parts of a sentence: findings of `integrity_check` as SQLite words them, or that it is another database. Empty when the database
   *  is intact. */
  problems: Message[]
  /** Schema version; 0 when the file cannot be read or is not a Loupe database. */
  schemaVersion: number
}

/** Checks a complete database and returns the problems found. `database` is a path, or the bytes themselves. Takes about 20 s per GB,
 *  so call it in a thread. Rejects with `StorageFault` only where the file could not be read at all, or with the signal's reason. */
export async function checkDatabase(database: string | Uint8Array, options: WorkOptions): Promise<DatabaseCheck> {
  const path = typeof database === 'string' ? database : 'in memory'
  try {
    return await checked(database, options)
  } catch (error) {
    const fault = storageFaultOf(path, error)
    if (!(fault instanceof StorageFault) || fault.code !== 'damaged') throw fault
    return { problems: [message('text', { text: messageOf(error) })], schemaVersion: 0 }
  }
}

/** Runs the checks. Unlike `checkDatabase` it throws SQLite's errors, also those that mean damage. */
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
      return { problems: [message('database.other')], schemaVersion: 0 }
    // First the structure as a whole, then every table with its indexes. Together this equals `integrity_check` without an argument,
    // which cannot be stopped and takes minutes for a large archive.
    const checks = ['quick_check', ...tables.map((name) => `integrity_check("${name}")`)]
    const problems: string[] = []
    for (const [index, check] of checks.entries()) {
      // Yield between the checks, so that a stop takes effect.
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      onProgress?.(index / checks.length)
      problems.push(...database.prepare<[], string>(`PRAGMA ${check}`).pluck().all())
    }
    return {
      problems: problems
        .filter((text) => text !== 'ok')
        .slice(0, problemsCountMax)
        .map((text) => message('text', { text })),
      schemaVersion: Number(database.pragma('user_version', { simple: true })),
    }
  } finally {
    database.close()
  }
}
