/** Reads the block of one record into memory: of records about jobs, and of screenshots and texts that other programs kept. */
import type { Archive } from '../../archive/store/archive.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { recordBytesMax } from '../model/limits.ts'

/** Returns the block of a record; undefined if it is damaged or longer than `recordBytesMax`. */
export async function blockOf(record: ArchiveRecord): Promise<Uint8Array | undefined> {
  if (record.blockBytes > recordBytesMax) return undefined
  const parts: Uint8Array[] = []
  for await (const part of record.block()) parts.push(Uint8Array.from(part))
  return (await record.finish()).whole ? Buffer.concat(parts) : undefined
}

/** Returns the block of the record at an offset; undefined also if no replica gives the file, or if the record has another URI than `uri`. */
export async function blockAt(
  archive: Pick<Archive, 'openFile'>,
  { file, offset, uri }: { file: string; offset: number; uri?: string },
): Promise<Uint8Array | undefined> {
  const opened = await archive.openFile(file)
  if (opened === undefined) return undefined
  try {
    const record = await readRecordAt(opened.file, offset)
    return record === undefined || (uri !== undefined && record.url !== uri) ? undefined : await blockOf(record)
  } finally {
    await opened.file.close()
  }
}
