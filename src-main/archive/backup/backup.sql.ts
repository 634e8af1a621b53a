/** Statements of backups: the identity of the archive and its contents. */
import type { Store } from '../../storage/storage.ts'

export interface ContentRow {
  jobs: number
  files: number
  auditNumber: number | null
  auditHash: string | null
}

export function backupStatements(store: Store) {
  return {
    identity: store.statement<object, { id: string }>('SELECT archive_id AS id FROM database_state'),
    hasContent: store.statement<object, { has: number }>(
      'SELECT EXISTS (SELECT 1 FROM harvest) OR EXISTS (SELECT 1 FROM archive_file) AS has',
    ),
    /** When the first and the last file were stored. Uses archive_file_by_age. */
    stored: store.statement<object, { firstMs: number | null; lastMs: number | null }>(
      `SELECT (SELECT MIN(COALESCE(stored_ms, registered_ms)) FROM archive_file) AS firstMs,
         (SELECT MAX(COALESCE(stored_ms, registered_ms)) FROM archive_file) AS lastMs`,
    ),
  }
}

export function contentStatement(store: Store) {
  return store.statement<object, ContentRow>(
    `SELECT (SELECT COUNT(*) FROM job) AS jobs, (SELECT COUNT(*) FROM archive_file) AS files,
       (SELECT MAX(number) FROM audit) AS auditNumber,
       (SELECT hash FROM audit ORDER BY number DESC LIMIT 1) AS auditHash`,
  )
}
