/** Maps SQLite errors caused by the disk or the file to `StorageFault`. All other SQLite errors are bugs in statements. */
import Database from 'better-sqlite3'
import type { FaultCode } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Reasons of a `StorageFault`. `damaged`: the file is not an intact database. `newer`: it was made by a later version of Loupe.
 *  `replaced`: another engine works on the archive now. `denied`: missing permissions. `full`: no space left. `failed`: an I/O error, or another process holds the database. */
export type StorageFaultCode = 'damaged' | 'newer' | 'replaced' | 'denied' | 'full' | 'failed'

/** Those that SQLite reports. */
type FaultOfSqlite = Exclude<StorageFaultCode, 'newer' | 'replaced'>

/** The fault of the contract for each fault of the database. */
export const faultCodeOfStorage: Record<StorageFaultCode, FaultCode> = {
  damaged: 'damaged',
  newer: 'damaged',
  replaced: 'inUse',
  denied: 'notAllowed',
  full: 'noSpace',
  failed: 'damaged',
}

/** An error of the disk or the database file. */
export class StorageFault extends Error {
  readonly code: StorageFaultCode
  /** What failed, and what to do. `Error.message` is its text in English. */
  readonly userMessage: Message
  constructor(code: StorageFaultCode, userMessage: Message, options?: ErrorOptions) {
    super(textOf(userMessage), options)
    this.name = 'StorageFault'
    this.code = code
    this.userMessage = userMessage
  }
}

/** Runs `act`. An error that SQLite reports because of the disk or the file at `path` becomes a `StorageFault`; any other error is
 *  rethrown. */
export function guarded<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw storageFaultOf(path, error)
  }
}

/** Converts an error that SQLite reports because of the disk or the file at `path` to `StorageFault`; returns any other error
 *  unchanged. */
export function storageFaultOf(path: string, error: unknown): unknown {
  const code = error instanceof Database.SqliteError ? faultOfCode(error.code) : undefined
  return code === undefined ? error : new StorageFault(code, message(faultMessages[code], { path }), { cause: error })
}

/** Whether SQLite reported that the disk is full. */
export function isFull(error: unknown): boolean {
  return error instanceof Database.SqliteError && faultOfCode(error.code) === 'full'
}

function faultOfCode(code: string): FaultOfSqlite | undefined {
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return 'damaged'
  if (code === 'SQLITE_FULL') return 'full'
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM')
    return 'denied'
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return 'failed'
  return undefined
}

const faultMessages = {
  damaged: 'database.damaged',
  denied: 'database.denied',
  full: 'database.full',
  failed: 'database.failed',
} as const satisfies Record<FaultOfSqlite, string>
