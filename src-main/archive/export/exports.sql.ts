/** Statements of exports: what a task of this kind has of its own. */
import type { Store } from '../../storage/storage.ts'

export interface ExportRow {
  taskId: number
  /** The request as JSON (`ExportRequest` of the contract). */
  request: string
  /** Remarks for the user, a JSON list of messages. */
  remarks: string
}

export function exportStatements(store: Store) {
  return {
    one: store.statement<{ taskId: number }, ExportRow>(
      `SELECT task_id AS taskId, request, remarks FROM export WHERE task_id = @taskId`,
    ),
    add: store.statement<{ taskId: number; request: string }>(
      `INSERT INTO export (task_id, request) VALUES (@taskId, @request)`,
    ),
    noteRemarks: store.statement<{ taskId: number; remarks: string }>(
      `UPDATE export SET remarks = @remarks WHERE task_id = @taskId`,
    ),
  }
}
