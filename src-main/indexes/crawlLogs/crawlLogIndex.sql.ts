/** Tables and statements for crawl log lines by URL: one SQLite file per job, derived, never changed once it has its final
 *  name. Only the fields that explain an outcome are stored; it is about as large as the logs. */
import { hash } from 'node:crypto'
import type { CrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { surt } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'

export const crawlLogSchema = `
CREATE TABLE manifest (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  logs INTEGER NOT NULL,
  lines_unread INTEGER NOT NULL,           -- number of lines that could not be parsed
  files_unread TEXT NOT NULL               -- JSON list of archive files whose logs could not be read to their end
);
CREATE TABLE line (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  logged_ms INTEGER,
  status INTEGER NOT NULL,
  url TEXT NOT NULL,
  hop_path TEXT NOT NULL,
  via TEXT,
  annotations TEXT NOT NULL
);
`

/** What a database contains, and what could not be read for it. */
export interface CrawlLogManifest {
  logs: number
  linesUnread: number
  /** Archive files whose logs could not be read completely. */
  filesUnread: string[]
}

/** The fields of a line that explain an outcome. */
export type LoggedLine = Pick<CrawlLogLine, 'loggedMs' | 'status' | 'url' | 'hopPath' | 'via' | 'annotations'>
type LineRow = Omit<LoggedLine, 'loggedMs' | 'via'> & { loggedMs: number | null; via: string | null }

/** A hash of the capture's key, a third of its length: many URLs are longer than the rest of their line. */
export function lineKey(url: string): Uint8Array {
  return hash('sha256', surt(url), 'buffer').subarray(0, 16)
}

/** Statements for building a database. */
export function buildCrawlLogStatements(store: Store) {
  return {
    addLine: store.statement<LineRow & { key: Uint8Array }>(
      `INSERT INTO line (key, logged_ms, status, url, hop_path, via, annotations)
       VALUES (@key, @loggedMs, @status, @url, @hopPath, @via, @annotations)`,
    ),
    /** Created when all rows exist: sorting once takes half the time of keeping rows sorted. */
    addIndex: store.statement<object>(`CREATE INDEX line_by_key ON line (key)`),
    addManifest: store.statement<{ logs: number; linesUnread: number; filesUnread: string }>(
      `INSERT INTO manifest (one, logs, lines_unread, files_unread) VALUES (1, @logs, @linesUnread, @filesUnread)`,
    ),
  }
}

/** Statements for lookups. */
export function crawlLogStatements(store: Store) {
  return {
    manifest: store.statement<object, { logs: number; linesUnread: number; filesUnread: string }>(
      `SELECT logs, lines_unread AS linesUnread, files_unread AS filesUnread FROM manifest`,
    ),
    /** The line of this URL before others with the same key, the latest first. Uses line_by_key. */
    line: store.statement<{ key: Uint8Array; url: string }, LineRow>(
      `SELECT logged_ms AS loggedMs, status, url, hop_path AS hopPath, via, annotations FROM line WHERE key = @key
       ORDER BY url = @url DESC, logged_ms DESC, id DESC LIMIT 1`,
    ),
  }
}
