/** Statements of batch jobs: one row for each run, kept after its end, and the names of the files to process. */
import { batchStates } from '../../contract/states/states.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { Store } from '../../storage/storage.ts'

export interface BatchRow {
  id: number
  name: string
  module: string
  /** The request as JSON. */
  request: string
  state: typeof batchStates.initial
  filesTotal: number
  bytesTotal: number
  processed: number
  failed: number
  bytesDone: number
  output: string
  errors: string
  outputBytes: number
  errorBytes: number
  startedMs: number
  endedMs: number | null
  problem: string | null
  code: FaultCode | null
}

const columns = `id, name, module, request, state, files_total AS filesTotal, bytes_total AS bytesTotal, processed, failed,
  bytes_done AS bytesDone, output, errors, output_bytes AS outputBytes, error_bytes AS errorBytes,
  started_ms AS startedMs, ended_ms AS endedMs, problem, code`

export function batchStatements(store: Store) {
  return {
    one: store.statement<{ id: number }, BatchRow>(`SELECT ${columns} FROM batch_run WHERE id = @id`),
    newest: store.statement<{ limit: number }, BatchRow>(
      `SELECT ${columns} FROM batch_run ORDER BY id DESC LIMIT @limit`,
    ),
    unended: store.statement<object, { id: number }>(`SELECT id FROM batch_run WHERE ended_ms IS NULL ORDER BY id`),
    add: store.statement<
      Pick<BatchRow, 'name' | 'module' | 'request' | 'filesTotal' | 'bytesTotal' | 'output' | 'errors' | 'startedMs'>,
      { id: number }
    >(
      `INSERT INTO batch_run (name, module, request, state, files_total, bytes_total, output, errors, started_ms)
       VALUES (@name, @module, @request, '${batchStates.initial}', @filesTotal, @bytesTotal, @output, @errors, @startedMs)
       RETURNING id`,
    ),
    noteProgress: store.statement<
      Pick<BatchRow, 'id' | 'processed' | 'failed' | 'bytesDone' | 'outputBytes' | 'errorBytes'>
    >(
      `UPDATE batch_run SET processed = @processed, failed = @failed, bytes_done = @bytesDone,
         output_bytes = @outputBytes, error_bytes = @errorBytes WHERE id = @id`,
    ),
    noteEnd: store.statement<{ id: number; nowMs: number; problem: string | null; code: FaultCode | null }>(
      `UPDATE batch_run SET ended_ms = @nowMs, problem = @problem, code = @code WHERE id = @id`,
    ),
    /** File names in order, in pages: `after` is the last name of the previous page. Uses the index on names. */
    names: store.statement<
      /** `jobs`: a JSON list, or null for all jobs. */
      { after: string; jobs: string | null; kind: string | null; limit: number },
      { name: string; bytes: number }
    >(
      `SELECT name, bytes FROM archive_file
       WHERE name > @after AND (@jobs IS NULL OR job_id IN (SELECT value FROM json_each(@jobs))) AND (@kind IS NULL OR kind = @kind)
       ORDER BY name LIMIT @limit`,
    ),
  }
}
