/** Notes the documents of jobs that all have to be looked at: the output, its settings or what the job sends there have changed. There may be
 *  millions, so they are noted in pages; a kill continues with the next one. */
import type { Store } from '../../storage/storage.ts'
import { outputScanStatements } from './outputDocuments.sql.ts'

/** Documents of one transaction: some ten milliseconds. */
const pageDocumentsMax = 1_000

/** Returns the function that notes one page; it returns false where nothing is left. */
export function jobScan(store: Store, output: number): () => boolean {
  const sql = outputScanStatements(store)
  return () =>
    store.transaction(() => {
      const scan = sql.next.get({ output })
      if (!scan) return false
      const { job, isNamed, afterDocument, afterRecord } = scan
      const limit = pageDocumentsMax
      const document = isNamed ? sql.lastDocument.get({ job, after: afterDocument, limit })?.last : undefined
      if (typeof document === 'number') {
        sql.noteDocuments.run({ output, job, after: afterDocument, last: document })
        sql.documentsNoted.run({ output, job, last: document })
        return true
      }
      // What the output has of the job may be what the job no longer has.
      const record = sql.lastRecord.get({ output, job, after: afterRecord, limit })?.last
      if (typeof record === 'number') {
        sql.noteRecords.run({ output, job, after: afterRecord, last: record })
        sql.recordsNoted.run({ output, job, last: record })
      } else sql.end.run({ output, job })
      return true
    })
}
