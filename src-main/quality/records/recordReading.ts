/** Reads records of one kind from the quality files of every job that has ended since: of an archive that was imported, or of a database that was
 *  lost. A record can wait for a job that is imported later. */
import type { Store } from '../../storage/storage.ts'
import { readingStatements } from './recordReading.sql.ts'
import type { QualityFiles } from './qualityFiles.ts'
import type { QualityRecord } from './writeQualityFile.ts'

/** What reads records of one kind. */
export interface RecordReader {
  kind: 'overlay' | 'verdict'
  wanted: (uri: string) => boolean
  /** Also reads files of imports that have captures and such records. They may be large: only where no record can wait. */
  readsMerged: boolean
  /** Takes a record from a file of a job. Returns false when it waits for another job. */
  read: (record: QualityRecord, job: number) => boolean
}

interface Parts {
  store: Store
  files: Pick<QualityFiles, 'records' | 'unreadable' | 'names' | 'mergedNames'>
}

/** Returns the function that reads. What has been read is not read again after a kill. */
export function recordReading(
  { store, files }: Parts,
  { kind, wanted, readsMerged, read }: RecordReader,
): () => Promise<void> {
  const sql = readingStatements(store)
  return async () => {
    for (const { job, endedMs } of sql.unread.all({ kind })) {
      let isWaiting = await files.unreadable(job)
      const names = [...files.names(job), ...(readsMerged ? files.mergedNames(job) : [])]
      for await (const record of files.records(job, wanted, names)) if (!read(record, job)) isWaiting = true
      sql.noteRead.run({ job, kind, endedMs, isWaiting: isWaiting ? 1 : 0 })
    }
  }
}
