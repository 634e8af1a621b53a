/** Reads the records of quality files, those of this archive and those that an import has brought. */
import { readRecords } from '../../formats/records/readRecords.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import type { ReadableFile } from '../../world/world.ts'
import { blockOf } from './recordContent.ts'
import type { QualityRecord } from './writeQualityFile.ts'

/** Yields the records of a file, which the caller closes, in the order in which they were written. Records that are damaged, or longer than
 *  `recordBytesMax`, are left out: the check of the file reports damage. `wanted`: whether the body of a record is to be read, by its URI;
 *  other records are not given. */
export async function* readQualityFile(
  file: ReadableFile,
  wanted: (uri: string) => boolean = () => true,
): AsyncGenerator<QualityRecord> {
  for await (const record of readRecords(file)) {
    const { type, url, contentType = 'application/octet-stream' } = record
    if ((type !== 'metadata' && type !== 'resource') || url === undefined || !wanted(url)) continue
    const body = await blockOf(record)
    if (body === undefined) continue
    yield { uri: url, type, contentType, body, atMs: parseTimestamp(record.date) ?? 0 }
  }
}
