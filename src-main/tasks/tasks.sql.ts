/** Statements of tasks. */
import type { FaultCode } from '../contract/calls/faults.ts'
import type { TaskKind, TaskStage, TaskStarter } from '../contract/shapes/taskKinds.ts'
import { taskStates, type TaskState } from '../contract/states/taskStates.ts'
import type { Store } from '../storage/storage.ts'

/** Progress of a task as columns. */
export interface ProgressColumns {
  filesDone: number
  filesTotal: number
  bytesDone: number
  bytesTotal: number
  findings: number
  /** JSON: numbers by name. */
  figures: string
}

export interface TaskRow extends ProgressColumns {
  id: number
  kind: TaskKind
  /** JSON: a message. */
  subject: string
  state: TaskState
  stage: TaskStage | null
  startedBy: TaskStarter
  startedMs: number
  endedMs: number | null
  runningMs: number
  /** JSON: a message. */
  problem: string | null
  code: FaultCode | null
}

const columns = `id, kind, subject, state, stage, started_by AS startedBy, started_ms AS startedMs, ended_ms AS endedMs,
  running_ms AS runningMs, files_total AS filesTotal, files_done AS filesDone, bytes_total AS bytesTotal,
  bytes_done AS bytesDone, findings, figures, problem, code`

export function taskStatements(store: Store) {
  return {
    one: store.statement<{ id: number }, TaskRow>(`SELECT ${columns} FROM task WHERE id = @id`),
    newest: store.statement<{ limit: number }, TaskRow>(`SELECT ${columns} FROM task ORDER BY id DESC LIMIT @limit`),
    newestOfKind: store.statement<{ kind: TaskKind; limit: number }, TaskRow>(
      `SELECT ${columns} FROM task INDEXED BY task_by_kind WHERE kind = @kind ORDER BY id DESC LIMIT @limit`,
    ),
    notEnded: store.statement<{ kind: TaskKind }, { id: number; state: TaskState }>(
      `SELECT id, state FROM task INDEXED BY task_not_ended WHERE kind = @kind AND ended_ms IS NULL ORDER BY id`,
    ),
    add: store.statement<
      ProgressColumns & Pick<TaskRow, 'kind' | 'subject' | 'stage' | 'startedBy' | 'startedMs'>,
      { id: number }
    >(
      `INSERT INTO task (kind, subject, state, stage, started_by, started_ms, files_total, files_done, bytes_total, bytes_done,
         findings, figures)
       VALUES (@kind, @subject, '${taskStates.initial}', @stage, @startedBy, @startedMs, @filesTotal, @filesDone, @bytesTotal,
         @bytesDone, @findings, @figures)
       RETURNING id`,
    ),
    noteStarter: store.statement<Pick<TaskRow, 'id' | 'startedBy'>>(
      `UPDATE task SET started_by = @startedBy WHERE id = @id`,
    ),
    removeOldest: store.statement<{ kind: TaskKind; keptMax: number }>(
      `DELETE FROM task WHERE id IN (SELECT id FROM task INDEXED BY task_by_kind
         WHERE kind = @kind AND ended_ms IS NOT NULL ORDER BY id DESC LIMIT -1 OFFSET @keptMax)`,
    ),
    noteProgress: store.statement<ProgressColumns & Pick<TaskRow, 'id' | 'stage' | 'runningMs'>>(
      `UPDATE task SET stage = @stage, running_ms = @runningMs, files_total = @filesTotal, files_done = @filesDone,
         bytes_total = @bytesTotal, bytes_done = @bytesDone, findings = @findings, figures = @figures WHERE id = @id`,
    ),
    noteEnd: store.statement<Pick<TaskRow, 'id' | 'endedMs' | 'problem' | 'code'>>(
      `UPDATE task SET ended_ms = @endedMs, problem = @problem, code = @code WHERE id = @id`,
    ),
  }
}
