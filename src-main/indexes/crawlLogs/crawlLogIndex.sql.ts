/** The lines of a job's crawl logs by their addresses: one SQLite file, derived, never changed once it has its name. Of each line only
 *  what says why is kept; in all it is about as large as the logs. */
import { hash } from 'node:crypto'
import type { CrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { surt } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'

export const crawlLogSchema = `
CREATE TABLE manifest (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  logs INTEGER NOT NULL,
  lines_unread INTEGER NOT NULL,            -- lines that are none
  files_unread TEXT NOT NULL               -- JSON: archive files of which logs could not be read, or not to their end
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

export interface CrawlLogManifest {
  logs: number
  linesUnread: number
  /** Archive files of which logs could not be read, or not to their end. */
  filesUnread: string[]
}

/** As much of a line as says why. */
export type LoggedFate = Pick<CrawlLogLine, 'loggedMs' | 'status' | 'url' | 'hopPath' | 'via' | 'annotations'>
type LineRow = Omit<LoggedFate, 'loggedMs' | 'via'> & { loggedMs: number | null; via: string | null }

/** The key of a capture, at a third of its length: many addresses of a harvest are longer than what is said of them. */
export function lineKey(url: string): Uint8Array {
  return hash('sha256', surt(url), 'buffer').subarray(0, 16)
}

export function buildCrawlLogStatements(store: Store) {
  return {
    addLine: store.statement<LineRow & { key: Uint8Array }>(
      `INSERT INTO line (key, logged_ms, status, url, hop_path, via, annotations)
       VALUES (@key, @loggedMs, @status, @url, @hopPath, @via, @annotations)`,
    ),
    /** When every row is there: sorting once takes half the time of keeping sorted. */
    addIndex: store.statement<object>(`CREATE INDEX line_by_key ON line (key)`),
    addManifest: store.statement<{ logs: number; linesUnread: number; filesUnread: string }>(
      `INSERT INTO manifest (one, logs, lines_unread, files_unread) VALUES (1, @logs, @linesUnread, @filesUnread)`,
    ),
  }
}

export function crawlLogStatements(store: Store) {
  return {
    manifest: store.statement<object, { logs: number; linesUnread: number; filesUnread: string }>(
      `SELECT logs, lines_unread AS linesUnread, files_unread AS filesUnread FROM manifest`,
    ),
    /** The address as it was asked for before others of its key, then what was said last. Uses line_by_key. */
    line: store.statement<{ key: Uint8Array; url: string }, LineRow>(
      `SELECT logged_ms AS loggedMs, status, url, hop_path AS hopPath, via, annotations FROM line WHERE key = @key
       ORDER BY url = @url DESC, logged_ms DESC, id DESC LIMIT 1`,
    ),
  }
}
