/** The schema of the database as numbered steps. `PRAGMA user_version` holds the number of a database's last step; opening it runs the
 *  later steps. A released step is never changed: further changes are new steps.
 *
 *  Conventions: times are milliseconds since 1970 UTC and end in `_ms`; the key of a URL is the SHA-256 of its canonical form; names
 *  of states are those of `contract/states/states.ts`, and `triggers.ts` enforces their transitions. */
import { message } from '../../contract/words/message.ts'
import type Database from 'better-sqlite3'
import { isFull, StorageFault } from '../sqlite/storageFault.ts'
import { archiveTables } from './archiveTables.ts'
import { accountTables } from './accountTables.ts'
import { authorityTables } from './authorityTables.ts'
import { connectionTables } from './connectionTables.ts'
import { databaseStateTables } from './databaseStateTables.ts'
import { deduplicationTables } from './deduplicationTables.ts'
import { definitionTables } from './definitionTables.ts'
import { deliveryTables } from './deliveryTables.ts'
import { documentTables } from './documentTables.ts'
import { historyTables } from './historyTables.ts'
import { importTables } from './importTables.ts'
import { jobTables } from './jobTables.ts'
import { missTables } from './missTables.ts'
import { overlayTables } from './overlayTables.ts'
import { pageAuditTables } from './pageAuditTables.ts'
import { verdictTables } from './verdictTables.ts'
import { qualityFileTables } from './qualityFileTables.ts'
import { notificationTables } from './notificationTables.ts'
import { outputTables } from './outputTables.ts'
import { orderTables } from './orderTables.ts'
import { outlineTables } from './outlineTables.ts'
import { preservationTables } from './preservationTables.ts'
import { progressTables } from './progressTables.ts'
import { searchTables } from './searchTables.ts'
import { taskTables } from './taskTables.ts'
import { viewTables } from './viewTables.ts'

/** One step of the schema. */
export interface Migration {
  /** Number of the step. Steps are listed in ascending order, beginning with 1. */
  number: number
  /** Statements of the step, run in one transaction. */
  sql: string
  /** A query. If it returns a row after the step, the database is rewritten, so that no deleted bytes are left in it. */
  compactedWhere?: string
}

export const migrations: readonly Migration[] = [
  {
    number: 1,
    sql: [
      jobTables,
      documentTables,
      importTables,
      archiveTables,
      taskTables,
      preservationTables,
      viewTables,
      historyTables,
      databaseStateTables,
    ].join(''),
  },
  {
    number: 2,
    sql: [
      definitionTables,
      outlineTables,
      progressTables,
      notificationTables,
      connectionTables,
      authorityTables,
      deduplicationTables,
      deliveryTables,
      outputTables,
      orderTables,
      searchTables,
      missTables,
      pageAuditTables,
      qualityFileTables,
      overlayTables,
      verdictTables,
      accountTables,
    ].join(''),
  },
]

/** Schema version of this version of Loupe. */
export const newestSchemaVersion = numberOfLast(migrations)

/** Migrates a database to the last of `steps`. Each step runs in a transaction with its number, so that a crash leaves no partial
 *  step. Throws `StorageFault` (`newer`) for a database with a higher number, without changing it. */
export function migrate(database: Database.Database, path: string, steps: readonly Migration[] = migrations): void {
  const version = Number(database.pragma('user_version', { simple: true }))
  const newest = numberOfLast(steps)
  if (version > newest) {
    throw new StorageFault('newer', message('database.newer', { path, version, newest }))
  }
  for (const { number, sql, compactedWhere } of steps.filter((step) => step.number > version)) {
    database.transaction(() => {
      database.exec(sql)
      database.pragma(`user_version = ${number}`)
    })()
    if (compactedWhere !== undefined && database.prepare(compactedWhere).get()) compact(database)
  }
}

function numberOfLast(steps: readonly Migration[]): number {
  return steps.at(-1)?.number ?? 0
}

/** Rewrites the database to remove deleted bytes. Leaves it unchanged when the disk has no space for a second copy. */
function compact(database: Database.Database): void {
  try {
    database.exec('VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
