/** Statements of exports: one row each, kept after the export has ended. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import { exportStates } from '../../contract/states/states.ts'
import type { Store } from '../../storage/storage.ts'

export interface ExportRow {
  id: number
  /** The request as JSON (`ExportRequest` of the contract). */
  request: string
  state: typeof exportStates.initial
  records: number
  bytes: number
  filesTotal: number
  filesDone: number
  bytesTotal: number
  bytesDone: number
  isComplete: number
  startedMs: number
  endedMs: number | null
  problem: string | null
  code: FaultCode | null
  /** Remarks for the user, a JSON list of sentences. */
  remarks: string
}

const columns = `id, request, state, records, bytes, files_total AS filesTotal, files_done AS filesDone,
  bytes_total AS bytesTotal, bytes_done AS bytesDone, is_complete AS isComplete, started_ms AS startedMs,
  ended_ms AS endedMs, problem, code, remarks`

export function exportStatements(store: Store) {
  return {
    one: store.statement<{ id: number }, ExportRow>(`SELECT ${columns} FROM export WHERE id = @id`),
    newest: store.statement<{ limit: number }, ExportRow>(
      `SELECT ${columns} FROM export ORDER BY id DESC LIMIT @limit`,
    ),
    unended: store.statement<object, ExportRow>(`SELECT ${columns} FROM export WHERE ended_ms IS NULL ORDER BY id`),
    add: store.statement<{ request: string; filesTotal: number; bytesTotal: number; nowMs: number }, { id: number }>(
      `INSERT INTO export (request, state, files_total, bytes_total, started_ms)
       VALUES (@request, '${exportStates.initial}', @filesTotal, @bytesTotal, @nowMs) RETURNING id`,
    ),
    noteProgress: store.statement<
      Pick<ExportRow, 'id' | 'records' | 'bytes' | 'filesDone' | 'bytesDone' | 'bytesTotal'>
    >(
      `UPDATE export SET records = @records, bytes = @bytes, files_done = @filesDone, bytes_done = @bytesDone,
         bytes_total = @bytesTotal WHERE id = @id`,
    ),
    noteEnd: store.statement<Pick<ExportRow, 'id' | 'problem' | 'code' | 'remarks' | 'isComplete'> & { nowMs: number }>(
      `UPDATE export SET ended_ms = @nowMs, problem = @problem, code = @code, remarks = @remarks,
         is_complete = @isComplete WHERE id = @id`,
    ),
  }
}
