/** The lock that limits an archive to one engine at a time. It is SQLite's own lock on a small file: the operating system releases it
 *  when the process ends, however it ends, so stale locks do not occur. */
import Database from 'better-sqlite3'
import { makeClosedFile } from '../world/closedFile.ts'
import { guarded } from './sqlite/storageFault.ts'

/** A held lock. */
export interface Lock {
  /** Releases the lock. The file stays, because deleting it could let two processes lock different files of one
   *  name. */
  release(): void
}

/** Takes the lock; undefined when another process holds it. Throws `StorageFault`. */
export function holdLock(path: string): Lock | undefined {
  return guarded(path, () => {
    makeClosedFile(path)
    // No waiting: an engine holds the lock for as long as it runs.
    const database = new Database(path, { timeout: 0 })
    try {
      database.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
      throw error
    }
    return { release: () => void database.close() }
  })
}
