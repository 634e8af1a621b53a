/** Annotations of crawl logs that stand for a capture without a record: `duplicate:"file,offset,date"`, as the DeDuplicator of
 *  NetarchiveSuite writes it where it found the same content in an earlier harvest and stored nothing (its date is missing in older
 *  logs). Heritrix's own `duplicate:digest` names no record, because there a revisit record was written. */
import { namedDigest } from '../cdx/indexDigest.ts'
import { parseTimestamp } from '../cdx/timestamp.ts'
import { recordField, type ArchiveRecord } from '../records/record.ts'

/** A record in an archive file. */
export interface RecordPlace {
  filename: string
  offset: number
}

export interface DuplicateOrigin extends RecordPlace {
  /** When the original was captured; undefined where the annotation does not say. */
  atMs: number | undefined
}

/** Undefined: the annotations name no record. */
export function duplicateOriginIn(annotations: string): DuplicateOrigin | undefined {
  const origin = /duplicate:"([^"]*)"/.exec(annotations)?.[1]
  if (origin === undefined) return undefined
  // A file name may hold commas, so the numbers are taken from the end. No file has an offset of twelve digits.
  const [, filename, offset, date = ''] =
    /^(.+),(\d{1,15}),(\d{12,17})$/.exec(origin) ?? /^(.+),(\d{1,15})$/.exec(origin) ?? []
  if (filename === undefined || offset === undefined) return undefined
  return { filename, offset: Number(offset), atMs: parseTimestamp(date) }
}

/** `equivalentURL:"…"`: the original is of this URL, which differs from the line's own in parts that the DeDuplicator ignores (`www.`,
 *  session identifiers). */
export function equivalentUrlIn(annotations: string): string | undefined {
  return /equivalentURL:"([^"]+)"/.exec(annotations)?.[1]
}

/** Where a record went when its file was compressed: a line of `deduplicationmigration`, which NetarchiveSuite's compression tool adds
 *  to a metadata file because the annotations of the crawl log keep the old offsets: `<file> <old offset> <new offset> <date>`.
 *  Undefined when the line is none. */
export function migratedPlaceIn(line: string): { from: RecordPlace; to: RecordPlace } | undefined {
  const [filename = '', oldOffset = '', newOffset = ''] = line.trim().split(/\s+/)
  if (filename === '' || !/^\d{1,15}$/.test(oldOffset) || !/^\d{1,15}$/.test(newOffset)) return undefined
  return {
    from: { filename, offset: Number(oldOffset) },
    to: { filename: `${filename}.gz`, offset: Number(newOffset) },
  }
}

/** What the crawl log says of the content of a duplicate. */
export interface OriginalExpected {
  /** With its algorithm; '' when not known. */
  payloadDigest: string
  /** When the original was captured; undefined where the log does not say. */
  atMs: number | undefined
}

/** How far the date of a record may be from the one that a crawl log has for it. The log has when the fetch was logged, the record when
 *  it began: a large file from a slow server may take hours. */
const dateMsMax = 86_400_000

/** Why a record of the right URL is not the original, as the end of a sentence; undefined: nothing contradicts it. Where the record
 *  names no payload digest, as in ARC files, it is only known by its URL and date. */
export function originalContradiction(
  record: Pick<ArchiveRecord, 'type' | 'fields' | 'date'>,
  { payloadDigest, atMs }: OriginalExpected,
): string | undefined {
  if (record.type === 'revisit') return 'is itself a revisit, and has no content'
  const digest = namedDigest(recordField(record, 'warc-payload-digest') ?? '')
  if (digest !== undefined && payloadDigest !== '' && algorithmOf(digest) === algorithmOf(payloadDigest))
    return digest === payloadDigest ? undefined : `has another payload digest, ${digest} instead of ${payloadDigest}`
  const dateMs = parseTimestamp(record.date)
  if (atMs === undefined || dateMs === undefined || Math.abs(dateMs - atMs) <= dateMsMax) return undefined
  return `is of ${record.date}, not of ${new Date(atMs).toISOString()}`
}

function algorithmOf(digest: string): string {
  return digest.slice(0, digest.indexOf(':'))
}
