/** Results of imported files, written in the transaction that ends the import of the file, and read for the job's metadata. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Truncation } from '../../contract/states/outcomes.ts'
import type { Store } from '../../storage/storage.ts'
import type { ImportedFileRow } from './importedFiles.sql.ts'

/** Prepares the statements. */
export function importResultStatements(store: Store) {
  return {
    settle: store.statement<
      Pick<ImportedFileRow, 'id' | 'records' | 'captures' | 'errors' | 'warnings' | 'notes' | 'message'> & {
        hasQualityRecords: 0 | 1
      }
    >(
      `UPDATE imported_file SET bytes_done = bytes_total, records = @records, captures = @captures, errors = @errors,
         warnings = @warnings, notes = @notes, message = @message,
         has_quality_records = @hasQualityRecords WHERE id = @id`,
    ),
    setArchived: store.statement<{ id: number; name: string; sha256: string; message: string }>(
      `UPDATE imported_file SET archived_as = @name, sha256 = @sha256, message = @message, bytes_done = bytes_total
       WHERE id = @id`,
    ),
    setRejection: store.statement<{ id: number; message: string; code: FaultCode }>(
      `UPDATE imported_file SET message = @message, code = @code WHERE id = @id`,
    ),
    setKind: store.statement<{ id: number; kind: string }>(`UPDATE imported_file SET kind = @kind WHERE id = @id`),
    addTruncation: store.statement<{ job: number; reason: Truncation; file: number; captures: number }>(
      `INSERT INTO imported_truncation (job_id, reason, file_id, captures) VALUES (@job, @reason, @file, @captures)`,
    ),
    truncated: store.statement<{ job: number }, { file: number; reason: Truncation; captures: number }>(
      `SELECT file_id AS file, reason, captures FROM imported_truncation WHERE job_id = @job ORDER BY file_id, reason`,
    ),
    addDocument: store.statement<{ file: number; entry: string; contentType: string }>(
      `INSERT INTO imported_document (file_id, entry, content_type) VALUES (@file, @entry, @contentType)`,
    ),
    documents: store.statement<
      { job: number },
      { file: number; path: string; packageEntry: string; entry: string; contentType: string }
    >(
      `SELECT imported_file.id AS file, imported_file.path, imported_file.entry AS packageEntry, imported_document.entry,
              imported_document.content_type AS contentType
       FROM imported_document JOIN imported_file ON imported_file.id = imported_document.file_id
       WHERE imported_file.job_id = @job ORDER BY imported_document.id`,
    ),
  }
}
