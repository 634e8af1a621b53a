/** The task of each import, and how far an import has come. */
import { importedFileStates } from '../../contract/states/importedFileStates.ts'
import { isFinal } from '../../contract/states/stateTable.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'

const settledStates = importedFileStates.states.filter((state) => isFinal(importedFileStates, state))
const isSettled = stateIn(settledStates)
/** A package that was opened: the files in it are counted, it is not. */
const isOpened = `(state = 'IMPORTED' AND name IS NULL)`

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
    /** Reads all files of the job: for the time between two commits, not for each file. */
    progress: store.statement<
      { job: number },
      { filesTotal: number; filesDone: number; bytesTotal: number; bytesDone: number; findings: number }
    >(
      `SELECT COALESCE(SUM(NOT ${isOpened}), 0) AS filesTotal, COALESCE(SUM(${isSettled} AND NOT ${isOpened}), 0) AS filesDone,
              COALESCE(SUM(bytes_total), 0) AS bytesTotal,
              COALESCE(SUM(CASE WHEN ${isSettled} THEN bytes_total ELSE bytes_done END), 0) AS bytesDone,
              COALESCE(SUM(errors), 0) AS findings
       FROM imported_file WHERE job_id = @job`,
    ),
  }
}
