/** Annotations of crawl logs that stand for a capture without a record: `duplicate:"file,offset,date"`, as the DeDuplicator of
 *  NetarchiveSuite writes it where it found the same content in an earlier harvest and stored nothing (its date is missing in older
 *  logs). Heritrix's own `duplicate:digest` names no record, because there a revisit record was written. */
import { parseTimestamp } from '../cdx/timestamp.ts'

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
