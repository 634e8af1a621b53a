/** The reference of `frontier.ts`: a minimal durable queue with one table, a key and one index for the order. Every link is looked up
 *  in SQLite, and every page has a transaction of its own. No states, no hosts, no politeness, no history. */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { hostName, linksOfPage, newOfPage, pageUrl } from './filledQueue.ts'

/** Opens the queue in a new database in the folder. The database is synced with every commit. */
export function plainTableIn(folder: string, { hosts }: { hosts: number }) {
  const database = new Database(join(folder, 'plain.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`
    CREATE TABLE document (id INTEGER PRIMARY KEY, url_key BLOB NOT NULL UNIQUE, url TEXT NOT NULL, state TEXT NOT NULL, priority REAL);
    CREATE INDEX document_by_priority ON document (priority) WHERE state = 'PENDING';`)
  const insert = database.prepare(
    `INSERT INTO document (url_key, url, state, priority) VALUES (?, ?, 'PENDING', ?) ON CONFLICT DO NOTHING`,
  )
  const first = database.prepare<[], { id: number }>(
    `SELECT id FROM document WHERE state = 'PENDING' ORDER BY priority LIMIT 1`,
  )
  const done = database.prepare(`UPDATE document SET state = 'COMPLETE' WHERE id = ?`)
  const add = (url: string, priority: number) => insert.run(hash('sha256', url, 'buffer'), url, priority)
  let made = 0

  /** Adds a document that is not in the table yet. */
  function fresh(): void {
    made += 1
    add(pageUrl(made, hosts), made / hosts)
  }

  return {
    close: () => database.close(),
    /** Adds new documents until the table has this many rows. */
    fill(rows: number) {
      while (made < rows) database.transaction(() => Array.from({ length: Math.min(2_000, rows - made) }, fresh))()
    },
    /** One page: takes the first document, settles it, and adds its links. */
    cycle() {
      database.transaction(() => {
        done.run(first.get()?.id)
        for (let at = 0; at < linksOfPage - newOfPage; at += 1)
          add(`http://${hostName(at % hosts)}/navigation-${at}`, 0)
        for (let at = 0; at < newOfPage; at += 1) fresh()
      })()
    },
  }
}
