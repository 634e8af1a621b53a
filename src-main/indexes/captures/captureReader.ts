/** Converts rows of a capture database to captures: adds the file of each one, and the original of duplicates. */
import type { LookupKey } from '../model/lookup.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { duplicatesListedAtOnce } from '../model/limits.ts'
import {
  firstDuplicate,
  type CaptureRow,
  type PlacedRow,
  type captureStatements,
  type duplicateStatements,
} from './captureIndex.sql.ts'

type DuplicateStatements = ReturnType<typeof duplicateStatements>

interface Reading {
  statements: Pick<ReturnType<typeof captureStatements>, 'file'>
  ofDuplicates: Pick<DuplicateStatements, 'original'>
  status: { readonly isGrowing: boolean }
}

/** Converts rows of one database. */
export interface CaptureReader {
  fileOf(id: number): CapturedFile
  /** The capture of a row that was looked up by key. */
  captureAt(row: PlacedRow, place: LookupKey): IndexedCapture
  /** The capture of a complete row. */
  capture(row: CaptureRow): IndexedCapture
}

/** Makes the reader. It throws when a row refers to a file or an original that the database does not have. */
export function captureReader({ statements, ofDuplicates, status }: Reading): CaptureReader {
  /** Files by id. Not remembered while the index is being built, because the build may restart and assign other ids. */
  const filesOfWhole = new Map<number, CapturedFile>()
  const fileOf = (id: number): CapturedFile => {
    const known = filesOfWhole.get(id)
    if (known) return known
    const read = statements.file.get({ id })
    if (read === undefined) throw new Error(`a capture is of file ${id}, which the index does not have`)
    if (!status.isGrowing) filesOfWhole.set(id, read)
    return read
  }

  const captureAt = (row: PlacedRow, place: LookupKey) => withOriginal(captureOf(row, place, fileOf(row.file)), row)
  const capture = (row: CaptureRow) => withOriginal(captureOf(row, row, row), row)

  /** Adds the original of a duplicate. In the index a duplicate has the position of its crawl log line; it is returned with
   *  that of its original. */
  const withOriginal = (
    capture: IndexedCapture,
    { file, offset: number }: Pick<PlacedRow, 'file' | 'offset'>,
  ): IndexedCapture => {
    if (capture.recordType !== 'duplicate') return capture
    const original = ofDuplicates.original.get({ file, number })
    if (original === undefined) throw new Error(`the index does not have what duplicate ${number} of ${file} refers to`)
    const { filename, offset, url, timestampMs } = original
    return {
      ...{ ...capture, filename, offset },
      duplicate: { log: capture.filename, url, timestampMs: timestampMs ?? undefined },
    }
  }

  return { fileOf, captureAt, capture }
}

/** All duplicates in the order of their originals, in batches. */
export async function* duplicatesIn(
  { inOrderOfOriginals }: Pick<DuplicateStatements, 'inOrderOfOriginals'>,
  capture: CaptureReader['capture'],
): AsyncGenerator<IndexedCapture[]> {
  for (let after = firstDuplicate; ;) {
    const rows = inOrderOfOriginals.all({ ...after, limit: duplicatesListedAtOnce })
    const captures = rows.map(capture)
    yield captures
    const [row, last] = [rows.at(-1), captures.at(-1)]
    if (row === undefined || last === undefined) return
    after = { originalFile: last.filename, originalOffset: last.offset, file: row.file, number: row.offset }
    // Other requests get a turn before the next batch.
    await new Promise((others) => setImmediate(others))
  }
}

interface CapturedFile {
  filename: string
  job: number | null
}

/** Converts a row. Field by field, because spreading objects took longer than the rest of a lookup without its statements. */
function captureOf(row: PlacedRow, { key, method }: LookupKey, { filename, job }: CapturedFile): IndexedCapture {
  const { timestampMs, url, mediaType, status, payloadDigest, offset, length, recordType } = row
  const capture: IndexedCapture = {
    key,
    timestampMs,
    url,
    mediaType,
    status: status ?? undefined,
    payloadDigest,
    offset,
    length,
    filename,
    recordType,
    job,
  }
  return method === '' ? capture : { ...capture, method }
}
