/** Reads records of one kind from the quality files of every job that has ended since: of an archive that was imported, or of a database that was
 *  lost. A record can wait for a job that is imported later. */
import type { Store } from '../../storage/storage.ts'
import { readingStatements } from './recordReading.sql.ts'
import type { QualityFiles } from './qualityFiles.ts'
import type { FoundRecord, RecordPlace } from './readQualityFile.ts'

/** What reads records of one kind. */
export interface RecordReader {
  kind: 'overlay' | 'verdict' | 'pageAudit'
  wanted: (uri: string) => boolean
  /** Also reads files of imports that have captures and such records. They may be large: only where no record can wait. */
  readsMerged: boolean
  /** Called before the files of a job are read. False: there is nothing to restore. */
  begin?: (job: number) => boolean
  /** Takes a record from a file of a job. Returns false when it waits for another job. */
  read: (record: FoundRecord & { file: string }, job: number) => boolean
  /** Takes the place of each record that is not wanted. */
  onPassed?: (place: RecordPlace & { file: string }) => void
  /** Called when the files of a job have been read. After a kill in it they are read again. */
  end?: (job: number) => void
}

interface Parts {
  store: Store
  files: Pick<QualityFiles, 'records' | 'unreadable' | 'names' | 'mergedNames'>
}

/** Returns the function that reads. What has been read is not read again after a kill. */
export function recordReading({ store, files }: Parts, reader: RecordReader): () => Promise<void> {
  const { kind, wanted, readsMerged, read, onPassed } = reader
  const sql = readingStatements(store)

  /** Returns whether something of the job waits. */
  async function readJob(job: number): Promise<boolean> {
    if (reader.begin?.(job) === false) return false
    let isWaiting = await files.unreadable(job)
    const names = [...files.names(job), ...(readsMerged ? files.mergedNames(job) : [])]
    for await (const record of files.records(job, { wanted, names, onPassed })) if (!read(record, job)) isWaiting = true
    reader.end?.(job)
    return isWaiting
  }

  return async () => {
    for (const { job, endedMs } of sql.unread.all({ kind })) {
      const isWaiting = await readJob(job)
      sql.noteRead.run({ job, kind, endedMs, isWaiting: isWaiting ? 1 : 0 })
    }
  }
}
