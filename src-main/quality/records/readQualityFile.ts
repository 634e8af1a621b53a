/** Reads the records of quality files, those of this archive and those that an import has brought. */
import { readRecords } from '../../formats/records/readRecords.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import type { ReadableFile } from '../../world/world.ts'
import { blockOf } from './recordContent.ts'
import type { QualityRecord } from './writeQualityFile.ts'

/** Where a record is in its file. */
export interface RecordPlace {
  uri: string
  offset: number
}

/** A record that was read. */
export type FoundRecord = QualityRecord & RecordPlace

/** Which records are read. */
export interface WantedRecords {
  /** Whether a record is to be read, by its URI; by default each is. */
  wanted?: ((uri: string) => boolean) | undefined
  /** Takes the place of each record that is not wanted: its body is skipped. */
  onPassed?: ((place: RecordPlace) => void) | undefined
}

/** Yields the records of a file, which the caller closes, in the order in which they were written. Records that are damaged, or longer than
 *  `recordBytesMax`, are left out: the check of the file reports damage. */
export async function* readQualityFile(
  file: ReadableFile,
  { wanted = () => true, onPassed }: WantedRecords = {},
): AsyncGenerator<FoundRecord> {
  for await (const record of readRecords(file)) {
    const { type, url: uri, offset, contentType = 'application/octet-stream' } = record
    if ((type !== 'metadata' && type !== 'resource') || uri === undefined) continue
    if (!wanted(uri)) {
      onPassed?.({ uri, offset })
      continue
    }
    const body = await blockOf(record)
    if (body === undefined) continue
    yield { uri, type, contentType, body, offset, atMs: parseTimestamp(record.date) ?? 0 }
  }
}
