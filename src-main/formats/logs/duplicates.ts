/** Reads annotations of crawl logs that describe captures without a record. The DeDuplicator of
 *  NetarchiveSuite writes `duplicate:"file,offset,date"` when it found the same content in an earlier harvest and
 *  stored nothing (the date is missing in older logs). Heritrix's own `duplicate:digest` names no record, because a
 *  revisit record was written. */
import { message, type Message } from '../../contract/words/message.ts'
import { namedDigest } from '../cdx/indexDigest.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'

/** Location of a record in an archive file. */
export interface RecordPlace {
  filename: string
  offset: number
}

/** What an annotation states about the original. */
export interface DuplicateOrigin extends RecordPlace {
  /** Time when the original was captured; undefined when the annotation does not state it. */
  atMs: number | undefined
}

/** Returns the location of the original; undefined when the annotations name no record. */
export function duplicateOriginIn(annotations: string): DuplicateOrigin | undefined {
  const origin = /duplicate:"([^"]*)"/.exec(annotations)?.[1]
  if (origin === undefined) return undefined
  // A file name may contain commas, so the numbers are taken from the end. Twelve digits or more are a date: no file is that long.
  const [, filename, offset, date = ''] =
    /^(.+),(\d{1,11}),(\d{12,17})$/.exec(origin) ?? /^(.+),(\d{1,11})$/.exec(origin) ?? []
  if (filename === undefined || offset === undefined) return undefined
  return { filename, offset: Number(offset), atMs: parseTimestamp(date) }
}

/** Returns the URL of the original from `equivalentURL:"…"`. It differs from the URL of the line in parts that the
 *  DeDuplicator ignores (`www.`, session identifiers). */
export function equivalentUrlIn(annotations: string): string | undefined {
  return /equivalentURL:"([^"]+)"/.exec(annotations)?.[1]
}

/** Parses a line of `deduplicationmigration`, `<file> <old offset> <new offset> <date>`: the new location of a
 *  record after its file was compressed. NetarchiveSuite's compression tool adds these lines to a metadata file,
 *  because the annotations of the crawl log keep the old offsets. Returns undefined for any other text. */
export function migratedPlaceIn(line: string): { from: RecordPlace; to: RecordPlace } | undefined {
  const [filename = '', oldOffset = '', newOffset = ''] = line.trim().split(/\s+/)
  if (filename === '' || !/^\d{1,15}$/.test(oldOffset) || !/^\d{1,15}$/.test(newOffset)) return undefined
  return {
    from: { filename, offset: Number(oldOffset) },
    to: { filename: `${filename}.gz`, offset: Number(newOffset) },
  }
}

/** What the crawl log states about the original of a duplicate. */
export interface OriginalExpected {
  /** Payload digest with its algorithm; empty when unknown. */
  payloadDigest: string
  /** Time when the original was captured; undefined when the log does not state it. */
  atMs: number | undefined
}

/** Maximum difference between the date of a record and the one in the crawl log, a day. The log has the time when
 *  the fetch was logged, the record the time when it began: a large file from a slow server may take hours. */
const dateMsMax = 86_400_000

/** Returns why a record with the right URL is not the original; undefined when nothing contradicts it. A record
 *  without a payload digest, as in ARC files, is identified only by its URL and date. */
export function originalContradiction(
  record: Pick<ArchiveRecord, 'type' | 'fields' | 'date'>,
  { payloadDigest, atMs }: OriginalExpected,
): Message | undefined {
  if (record.type === 'revisit') return message('duplicate.original.revisit')
  const digest = namedDigest(recordField(record, 'warc-payload-digest') ?? '')
  if (digest !== undefined && payloadDigest !== '' && algorithmOf(digest) === algorithmOf(payloadDigest))
    return digest === payloadDigest
      ? undefined
      : message('duplicate.original.digest', { digest, expected: payloadDigest })
  const dateMs = parseTimestamp(record.date)
  if (atMs === undefined || dateMs === undefined || Math.abs(dateMs - atMs) <= dateMsMax) return undefined
  return message('duplicate.original.date', { date: record.date, expected: new Date(atMs).toISOString() })
}

function algorithmOf(digest: string): string {
  return digest.slice(0, digest.indexOf(':'))
}
