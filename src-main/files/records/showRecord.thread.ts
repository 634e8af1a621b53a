/** Worker thread that reads one whole record of a file; undefined when none begins at the place. */
import { readRecordAt, readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import type { ReadableFile, Task } from '../../world/world.ts'
import type { RecordPosition } from './recordPage.ts'
import { recordWhole, type RecordInFile } from './recordWhole.ts'
import { watchedFile } from '../disk/watchedFile.ts'

/** The record that is wanted. */
export interface ShowInput {
  path: string
  /** Name of the file in findings. */
  file: string
  offset: number
  /** Selects one of several records that begin at the same place. */
  counted?: { number: number; from: RecordPosition }
}

/** The record that was found. */
export interface Shown {
  record: RecordInFile
  /** Whether no other record begins at the same place. */
  alone: boolean
}

export const task: Task<ShowInput, Shown | undefined> = async ({ world, signal }, { path, file, ...place }) => {
  const opened = await world.disk.openRead(path)
  try {
    const source = watchedFile(opened, { signal, onBytes: () => undefined })
    const record = await recordWhole({ file, nowMs: world.clock.now(), open: () => find(source, place) })
    return record && { record, alone: record.addressable && record.length > 0 }
  } finally {
    await opened.close()
  }
}

/** Opens the record; undefined when none begins at the offset. */
async function find(
  source: ReadableFile,
  { offset, counted }: Pick<ShowInput, 'offset' | 'counted'>,
): Promise<ArchiveRecord | undefined> {
  if (!counted) return readRecordAt(source, offset)
  const { number, from } = counted
  for await (const record of readRecords(source, { from: from.offset })) {
    if (from.before + record.number === number) return record.offset === offset ? record : undefined
  }
  return undefined
}
