/** What the database of an archive knows of page audits, read while they run and after they were killed. */
import { join } from 'node:path'
import { openStore, type Store } from '../src-main/storage/storage.ts'

/** A visited page, without times and numbers: two audits of the same pages have the same. */
export interface AuditResult {
  url: string
  state: string
  /** JSON: lists of resources and messages. */
  details: string
}

function reading<Result>(archive: string, read: (store: Store) => Result): Result {
  const store = openStore(join(archive, 'loupe.db'))
  try {
    return read(store)
  } finally {
    store.close()
  }
}

/** The results of an audit, in the order of their URLs. */
export function auditResults(archive: string, audit: number): AuditResult[] {
  return reading(archive, (store) =>
    store
      .statement<{ audit: number }, AuditResult>(
        `SELECT url, state, failure, status, title, risk, good, bad, missing, console_errors, text_characters, is_cut, is_loaded, details
         FROM page_audit_page WHERE audit_id = @audit ORDER BY url`,
      )
      .all({ audit }),
  )
}

/** The number of the last audit, 0 before the first; other tasks have numbers of the same series. */
export function newestAudit(archive: string): number {
  const sql = 'SELECT COALESCE(MAX(task_id), 0) AS newest FROM page_audit'
  return reading(archive, (store) => store.statement<object, { newest: number }>(sql).get({})?.newest ?? 0)
}

/** The number of pages that an audit has visited. */
export function visitedIn(archive: string, audit: number): number {
  const sql = `SELECT COUNT(*) AS visited FROM page_audit_page WHERE audit_id = @audit AND state = 'DONE'`
  return reading(
    archive,
    (store) => store.statement<{ audit: number }, { visited: number }>(sql).get({ audit })?.visited ?? 0,
  )
}
