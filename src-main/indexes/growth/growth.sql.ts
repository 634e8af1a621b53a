/** Statements on a capture database that read all captures of a range of keys. */
import type { Store } from '../../storage/storage.ts'
import type { KeyRange } from '../model/keyRanges.ts'

/** What counts of a capture. */
export interface CountedRow {
  key: string
  timestampMs: number
  file: number
  offset: number
  length: number
  mediaType: string
  status: number | null
  recordType: string
}

/** Place of a capture in the order of the table. */
type Place = Pick<CountedRow, 'key' | 'timestampMs' | 'file' | 'offset'>

/** The place before all captures of a range. */
export function placeBefore({ from }: KeyRange): Place {
  return { key: from, timestampMs: Number.MIN_SAFE_INTEGER, file: -1, offset: -1 }
}

/** Prepares the statements. */
export function growthStatements(store: Store) {
  return {
    /** Uses the primary key in its order. */
    captures: store.statement<Place & { to: string; limit: number }, CountedRow>(
      `SELECT key, timestamp_ms AS timestampMs, file, offset, length, media_type AS mediaType, status, record_type AS recordType
       FROM capture WHERE (key, timestamp_ms, file, offset) > (@key, @timestampMs, @file, @offset) AND key < @to
       ORDER BY key, timestamp_ms, file, offset LIMIT @limit`,
    ),
  }
}
