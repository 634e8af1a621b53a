/** The source files of an export, read record by record. */
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import type { SourceFile } from './export.ts'
import type { Progress } from './progress.ts'

/** Parameters of reading source files. */
export interface Reading {
  world: Pick<World, 'disk' | 'clock'>
  signal: AbortSignal
  progress: Progress
}

/** An open file, with a second view whose reads do not count as progress. */
export interface OpenSource extends SourceFile {
  watched: ReadableFile
  plain: ReadableFile
}

/** Opens each file in order while `visit` uses it. */
export async function eachSource(
  { world, signal, progress }: Reading,
  files: readonly SourceFile[],
  visit: (source: OpenSource) => Promise<void>,
): Promise<void> {
  for (const file of files) {
    signal.throwIfAborted()
    const plain = await world.disk.openRead(file.path)
    try {
      const watched = watchedFile(plain, { signal, onBytes: (bytes) => progress.reading(bytes) })
      await visit({ ...file, watched, plain })
      progress.read(file.bytes)
    } finally {
      await plain.close()
    }
  }
}

/** Reads every record of every file without its block. */
export async function eachRecord(
  reading: Reading,
  files: readonly SourceFile[],
  visit: (record: ArchiveRecord, file: SourceFile) => Promise<void> | void,
): Promise<void> {
  await eachSource(reading, files, async (source) => {
    for await (const record of readRecords(source.watched)) {
      await visit(record, source)
      await record.finish()
    }
  })
}
