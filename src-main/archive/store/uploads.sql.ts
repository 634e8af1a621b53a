/** Statements of uploads: what a task of this kind has of its own. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { UploadedFile } from '../../contract/services/uploads.ts'
import type { Store } from '../../storage/storage.ts'

export interface UploadFileRow {
  /** Position in the order in which the files are stored, from 0. */
  number: number
  path: string
  bytes: number
  state: Exclude<UploadedFile['state'], 'storing'>
  /** JSON: a message. */
  problem: string | null
  code: FaultCode | null
}

const fileColumns = 'number, path, bytes, state, problem, code'

export function uploadStatements(store: Store) {
  return {
    add: store.statement<{ taskId: number; unread: string }>(
      `INSERT INTO upload (task_id, unread) VALUES (@taskId, @unread)`,
    ),
    /** `files`: JSON list of paths and bytes. */
    addFiles: store.statement<{ taskId: number; files: string }>(
      `INSERT INTO upload_file (task_id, number, path, bytes)
       SELECT @taskId, key, value ->> 'path', value ->> 'bytes' FROM json_each(@files)`,
    ),
    unread: store.statement<{ taskId: number }, { unread: string }>(
      `SELECT unread FROM upload WHERE task_id = @taskId`,
    ),
    files: store.statement<{ taskId: number; offset: number; limit: number }, UploadFileRow>(
      `SELECT ${fileColumns} FROM upload_file WHERE task_id = @taskId AND number >= @offset ORDER BY number LIMIT @limit`,
    ),
    nextWaiting: store.statement<{ taskId: number; from: number }, UploadFileRow>(
      `SELECT ${fileColumns} FROM upload_file WHERE task_id = @taskId AND number >= @from AND state = 'waiting'
       ORDER BY number LIMIT 1`,
    ),
    /** Sums over the files that have ended. */
    done: store.statement<{ taskId: number }, { files: number; bytes: number; notStored: number }>(
      `SELECT COUNT(*) AS files, COALESCE(SUM(bytes), 0) AS bytes, COUNT(*) FILTER (WHERE state <> 'stored') AS notStored
       FROM upload_file WHERE task_id = @taskId AND state <> 'waiting'`,
    ),
    noteEnd: store.statement<Pick<UploadFileRow, 'number' | 'state' | 'problem' | 'code'> & { taskId: number }>(
      `UPDATE upload_file SET state = @state, problem = @problem, code = @code WHERE task_id = @taskId AND number = @number`,
    ),
  }
}

export type UploadStatements = ReturnType<typeof uploadStatements>
