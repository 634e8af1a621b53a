/** The reference of `captureIndex.ts`: a minimal index of captures with one table and one index by address and time. Addresses must
 *  be given exactly as they were captured. No keys, no preference, no files, no completeness. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { MadeCapture } from './capturedFiles.ts'

/** Opens the table in a new database in the folder. */
export function plainCapturesIn(folder: string) {
  const database = new Database(join(folder, 'plain.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec(`
    CREATE TABLE capture (url TEXT NOT NULL, timestamp_ms INTEGER NOT NULL, file TEXT NOT NULL, offset INTEGER NOT NULL,
      length INTEGER NOT NULL, media_type TEXT NOT NULL, status INTEGER, digest TEXT NOT NULL);
    CREATE INDEX capture_by_url ON capture (url, timestamp_ms);`)
  const insert = database.prepare(`INSERT INTO capture VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  // The plus signs keep SQLite from preparing the statements again at every binding (`storage/unseenValues.ts`), which saves a third of
  // the time.
  const until = database.prepare<[string, number], { timestamp_ms: number }>(
    `SELECT * FROM capture WHERE url = +? AND timestamp_ms <= +? ORDER BY timestamp_ms DESC LIMIT 1`,
  )
  const since = database.prepare<[string, number], { timestamp_ms: number }>(
    `SELECT * FROM capture WHERE url = +? AND timestamp_ms > +? ORDER BY timestamp_ms LIMIT 1`,
  )
  const containing = database.prepare<[string, number], { url: string }>(
    `SELECT DISTINCT url FROM capture WHERE instr(url, +?) > 0 LIMIT +?`,
  )
  const insertSorted = (rows: Row[]) => {
    rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]))
    database.transaction(() => {
      for (const row of rows) insert.run(row)
    })()
  }
  return {
    /** Inserts sorted rows in one transaction, which is the fastest way. */
    fill(captures: readonly MadeCapture[]) {
      insertSorted(
        captures.map(({ url, atMs }, at) => [url, atMs, 'file-000.warc.gz', at, 1200, 'text/html', 200, 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']), // prettier-ignore
      )
    },
    /** Inserts the captures of Loupe's own CDXJ lines, parsed in the ordinary way. */
    fillFromLines(paths: readonly string[]) {
      const rows: Row[] = []
      for (const path of paths)
        for (const line of readFileSync(path, 'utf8').split('\n'))
          if (line !== '' && !line.startsWith('!')) rows.push(rowOf(line))
      insertSorted(rows)
    },
    /** The time of the nearest capture. */
    nearest(url: string, atMs: number): number | undefined {
      const [before, after] = [until.get(url, atMs)?.timestamp_ms, since.get(url, atMs)?.timestamp_ms]
      if (before === undefined || after === undefined) return before ?? after
      return atMs - before <= after - atMs ? before : after
    },
    /** Addresses that contain the text. */
    containing: (text: string, limit: number) => containing.all(text, limit),
    close: () => database.close(),
  }
}

/** The columns of the table, in order. */
type Row = [url: string, atMs: number, file: string, offset: number, length: number, mediaType: string, status: number, digest: string] // prettier-ignore

/** Parses a CDXJ line as written by Loupe. */
function rowOf(line: string): Row {
  const [, digits = ''] = line.split(' ', 2)
  const fields = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>
  const iso = digits.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z')
  const { url = '', filename = '', offset, length, mime = '', status, digest = '' } = fields
  return [url, Date.parse(iso), filename, Number(offset), Number(length), mime, Number(status), digest]
}
