/** Statements that go through a capture index from URL to URL. */
import type { Store } from '../../storage/storage.ts'

/** The newest capture of a URL. */
export interface NewestOfUrl {
  url: string
  mediaType: string
  status: number | null
  /** Null: its file belongs to no job. */
  job: number | null
  lastMs: number
}

/** Prepares the statements. */
export function urlStatements(store: Store) {
  return {
    /** Uses the primary key: a seek. */
    nextKey: store.statement<{ from: string; to: string }, { key: string }>(
      `SELECT key FROM capture WHERE key >= @from AND key < @to ORDER BY key LIMIT 1`,
    ),
    /** Uses the primary key from its end. */
    newestOfUrl: store.statement<{ key: string }, NewestOfUrl>(
      `SELECT url, media_type AS mediaType, status, file.job AS job, timestamp_ms AS lastMs
       FROM capture JOIN file ON file.id = capture.file WHERE key = @key AND method = '' ORDER BY timestamp_ms DESC LIMIT 1`,
    ),
    /** Uses the primary key. */
    oldestOfUrl: store.statement<{ key: string }, { firstMs: number }>(
      `SELECT timestamp_ms AS firstMs FROM capture WHERE key = @key AND method = '' ORDER BY timestamp_ms LIMIT 1`,
    ),
    /** Uses the primary key and reads at most so many captures of it. */
    countOfUrl: store.statement<{ key: string; limit: number }, { captures: number }>(
      `SELECT count(*) AS captures FROM (SELECT 1 FROM capture WHERE key = @key AND method = '' LIMIT @limit)`,
    ),
  }
}
