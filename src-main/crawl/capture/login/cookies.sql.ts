/** SQL statements for the cookies of a job: read once at the start of a run, written with its results. */
import type { Store } from '../../../storage/storage.ts'

/** One cookie of a job, as stored. */
export interface CookieRow {
  domain: string
  path: string
  name: string
  value: string
  isHostOnly: 0 | 1
  isSecure: 0 | 1
  /** Null for a session cookie, which lasts as long as the run. */
  expiresMs: number | null
  createdMs: number
}

/** Tables whose rows are secrets, because they give access to a session. Backups of the database omit them. */
export const sessionTables: readonly string[] = ['cookie']

/** Prepares the statements. */
export function cookieStatements(store: Store) {
  return {
    ofJob: store.statement<{ job: number }, CookieRow>(
      `SELECT domain, path, name, value, is_host_only AS isHostOnly, is_secure AS isSecure, expires_ms AS expiresMs,
              created_ms AS createdMs
       FROM cookie WHERE job_id = @job`,
    ),
    put: store.statement<CookieRow & { job: number }>(
      `INSERT INTO cookie (job_id, domain, path, name, value, is_host_only, is_secure, expires_ms, created_ms)
       VALUES (@job, @domain, @path, @name, @value, @isHostOnly, @isSecure, @expiresMs, @createdMs)
       ON CONFLICT (job_id, domain, path, name) DO UPDATE SET value = excluded.value, is_host_only = excluded.is_host_only,
         is_secure = excluded.is_secure, expires_ms = excluded.expires_ms, created_ms = excluded.created_ms`,
    ),
    remove: store.statement<{ job: number; domain: string; path: string; name: string }>(
      `DELETE FROM cookie WHERE job_id = @job AND domain = @domain AND path = @path AND name = @name`,
    ),
  }
}
