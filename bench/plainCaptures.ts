/** What `captureIndex.ts` compares with: the least that an index of captures can be. One table, one index by address and moment;
 *  what is asked must be written as it was captured. No keys, no preference, no files, no completeness. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { MadeCapture } from './capturedFiles.ts'

export function plainCapturesIn(folder: string) {
  const database = new Database(join(folder, 'plain.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec(`
    CREATE TABLE capture (url TEXT NOT NULL, timestamp_ms INTEGER NOT NULL, file TEXT NOT NULL, offset INTEGER NOT NULL,
      length INTEGER NOT NULL, media_type TEXT NOT NULL, status INTEGER, digest TEXT NOT NULL);
    CREATE INDEX capture_by_url ON capture (url, timestamp_ms);`)
  const insert = database.prepare(`INSERT INTO capture VALUES (?, ?, ?, ?, 1200, 'text/html', 200, ?)`)
  // The plus signs keep SQLite from preparing them anew at every binding (`storage/unseenValues.ts`): a third of the time.
  const until = database.prepare<[string, number], { timestamp_ms: number }>(
    `SELECT * FROM capture WHERE url = +? AND timestamp_ms <= +? ORDER BY timestamp_ms DESC LIMIT 1`,
  )
  const since = database.prepare<[string, number], { timestamp_ms: number }>(
    `SELECT * FROM capture WHERE url = +? AND timestamp_ms > +? ORDER BY timestamp_ms LIMIT 1`,
  )
  return {
    /** Sorted and in one transaction, which is its best. */
    fill(captures: readonly MadeCapture[]) {
      const sorted = captures.toSorted((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : a.atMs - b.atMs))
      database.transaction(() => {
        for (const [at, { url, atMs }] of sorted.entries())
          insert.run(url, atMs, 'file-000.warc.gz', at, 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
      })()
    },
    /** The moment of the nearest. */
    nearest(url: string, atMs: number): number | undefined {
      const [before, behind] = [until.get(url, atMs)?.timestamp_ms, since.get(url, atMs)?.timestamp_ms]
      if (before === undefined || behind === undefined) return before ?? behind
      return atMs - before <= behind - atMs ? before : behind
    },
    close: () => database.close(),
  }
}
