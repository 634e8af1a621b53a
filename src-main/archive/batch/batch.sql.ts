/** Statements of batch jobs: what a task of this kind has of its own, and the names of the files to process. */
import type { Store } from '../../storage/storage.ts'

export interface BatchRow {
  taskId: number
  name: string
  /** The request as JSON. */
  request: string
  /** Paths of the output, and of the errors by file. */
  output: string
  errors: string
}

export function batchStatements(store: Store) {
  return {
    one: store.statement<{ taskId: number }, BatchRow>(
      `SELECT task_id AS taskId, name, request, output, errors FROM batch_run WHERE task_id = @taskId`,
    ),
    add: store.statement<BatchRow>(
      `INSERT INTO batch_run (task_id, name, request, output, errors) VALUES (@taskId, @name, @request, @output, @errors)`,
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

export type BatchStatements = ReturnType<typeof batchStatements>
