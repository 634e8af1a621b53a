/** Follows captures without content of their own to their originals. The index alone answers for most of them; a revisit without a payload
 *  digest is read in its file. Of several originals, one that a replica provides is taken. */
import { surt } from '../../formats/cdx/surt.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { recordField } from '../../formats/records/record.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { IndexedFile } from '../lines/captureLines.ts'
import { ledgerRowsAtOnce } from '../model/limits.ts'
import type { UnresolvedWhy } from './ledger.ts'
import { firstPlace, type ledgerStatements, type OriginalRow, type ReferringRow } from './ledger.sql.ts'

/** A capture with its file, and its original with the file of that, or why it has none. */
export interface Referring {
  row: ReferringRow
  file: IndexedFile
  /** `isAvailable`: a replica provides the file. */
  original: { row: OriginalRow; file: IndexedFile; isAvailable: boolean } | { why: NotFoundWhy }
}

type NotFoundWhy = Exclude<UnresolvedWhy, 'unavailable'>

interface Parts {
  world: World
  sql: ReturnType<typeof ledgerStatements>
  signal: AbortSignal
}

/** Which captures are followed. */
export interface ReferringWanted {
  /** Whether the captures of a file are wanted. */
  isWanted(file: IndexedFile): boolean
  /** Path of a copy of each file, by its name; absent: no replica provides it. */
  copies: ReadonlyMap<string, string>
  /** What is taken if the archive has the payload of a revisit with another URL only: any capture of it, the one that the record of the
   *  revisit names or else any, or only the one that is named. By default any. */
  otherUrls?: 'any' | 'namedFirst' | 'named'
}

/** Yields the captures in the order of the index. Rejects with the signal's reason. */
export async function* eachReferring(
  { world, sql, signal }: Parts,
  { isWanted, copies, otherUrls = 'any' }: ReferringWanted,
): AsyncGenerator<Referring> {
  const files = new Map(sql.files.all({}).map((file) => [file.id, file]))
  const fileOf = (id: number): IndexedFile => {
    const file = files.get(id)
    if (file === undefined) throw new Error(`a capture is of file ${id}, which the index does not have`)
    return file
  }
  const isProvided = (original: OriginalRow) => copies.has(fileOf(original.file).name)
  for (let after = firstPlace; ;) {
    const rows = sql.referring.all({ ...after, limit: ledgerRowsAtOnce })
    for (const row of rows) {
      const file = fileOf(row.file)
      if (!isWanted(file)) continue
      const found = await originalOf({ world, sql, copy: copies.get(file.name), isProvided, otherUrls }, row)
      if (typeof found === 'string') yield { row, file, original: { why: found } }
      else {
        const there = fileOf(found.file)
        yield { row, file, original: { row: found, file: there, isAvailable: copies.has(there.name) } }
      }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ledgerRowsAtOnce) return
    after = last
    await world.clock.sleep(0)
    signal.throwIfAborted()
  }
}

interface Looking {
  world: World
  sql: ReturnType<typeof ledgerStatements>
  /** Path of a copy of the file with the capture. */
  copy: string | undefined
  /** Whether a replica provides the file of an original. */
  isProvided(original: OriginalRow): boolean
  otherUrls: NonNullable<ReferringWanted['otherUrls']>
}

/** The capture with the content, or why there is none. */
async function originalOf(looking: Looking, row: ReferringRow): Promise<OriginalRow | NotFoundWhy> {
  const { sql, isProvided, otherUrls } = looking
  const best = (rows: readonly OriginalRow[]) => rows.find(isProvided) ?? rows[0]
  if (row.recordType === 'duplicate') {
    const named = sql.namedByLog.get({ file: row.file, number: row.offset })
    const there = named && sql.atPlace.get({ key: surt(named.url), filename: named.filename, offset: named.offset })
    if (there) return there
  }
  const { key, payloadDigest: digest, timestampMs: atMs } = row
  if (row.recordType === 'duplicate' && digest === '') return 'unnamed'
  if (digest === '') return originalOfRecord(looking, row)
  const here = best(sql.ofPayloadHere.all({ key, digest, atMs }))
  if (here) return here
  const named = otherUrls === 'any' || row.recordType === 'duplicate' ? 'absent' : await originalOfRecord(looking, row)
  if (typeof named !== 'string' || otherUrls === 'named') return named
  return best(sql.ofPayload.all({ digest })) ?? 'absent'
}

/** The capture that the record of a revisit names by its URL and date. */
async function originalOfRecord({ world, sql, copy }: Looking, row: ReferringRow): Promise<OriginalRow | NotFoundWhy> {
  if (copy === undefined) return 'unreadable'
  try {
    const file = await world.disk.openRead(copy)
    try {
      const record = await readRecordAt(file, row.offset, row.length === 0 ? Infinity : row.length)
      if (record === undefined) return 'unreadable'
      const atMs = parseTimestamp(recordField(record, 'warc-refers-to-date') ?? '')
      if (atMs === undefined) return 'unnamed'
      const key = surt(recordField(record, 'warc-refers-to-target-uri') ?? row.url)
      const fromMs = atMs - (atMs % 1_000)
      return sql.atMoment.get({ key, fromMs, toMs: fromMs + 999 }) ?? 'absent'
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof DiskFault) return 'unreadable'
    throw error
  }
}
