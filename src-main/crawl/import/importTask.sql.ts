/** The task of each import, and how far an import has come. */
import type { Store } from '../../storage/storage.ts'

/** Prepares the statements. */
export function importTaskStatements(store: Store) {
  return {
    add: store.statement<{ task: number; job: number }>(
      `INSERT INTO import_task (task_id, job_id) VALUES (@task, @job)`,
    ),
    ofJob: store.statement<{ job: number }, { task: number }>(
      `SELECT task_id AS task FROM import_task WHERE job_id = @job`,
    ),
    ofTask: store.statement<{ task: number }, { job: number }>(
      `SELECT job_id AS job FROM import_task WHERE task_id = @task`,
    ),
    /** Totals over the files of the job; triggers keep them. */
    progress: store.statement<
      { job: number },
      { filesTotal: number; filesDone: number; bytesTotal: number; bytesDone: number; findings: number }
    >(
      `SELECT files_total AS filesTotal, files_done AS filesDone, bytes_total AS bytesTotal, bytes_done AS bytesDone, findings
       FROM import_task WHERE job_id = @job`,
    ),
  }
}
