/** Statements by which the schedule reads past checks. */
import type { CheckKind } from '../../contract/shapes/taskKinds.ts'
import type { TaskState } from '../../contract/states/taskStates.ts'
import type { Store } from '../../storage/storage.ts'
import { isWhole } from '../copies/wholeCheck.sql.ts'

export interface LastCheck {
  id: number
  state: TaskState
  startedMs: number
  endedMs: number | null
}

/** When spot checks last started; null: never. */
export interface LastSpots {
  answeredMs: number | null
  triedMs: number | null
}

/** Statements on past checks. None of them changes anything. */
export function scheduleStatements(store: Store) {
  return {
    firstStored: store.statement<object, { storedMs: number | null }>(
      `SELECT MIN(stored_ms) AS storedMs FROM archive_file`,
    ),
    /** Last check of a kind that the schedule started. */
    lastOwn: store.statement<{ kind: CheckKind }, LastCheck>(
      `SELECT id, state, started_ms AS startedMs, ended_ms AS endedMs FROM task INDEXED BY task_by_kind
       WHERE kind = @kind AND started_by = 'schedule' ORDER BY id DESC LIMIT 1`,
    ),
    /** End of the last check of all files in all of `replicas` (a JSON list of names), by the schedule or the user: a check by the
     *  user need not be repeated. A check that ended after `untilMs` is ignored, because the clock was wrong. */
    lastWhole: store.statement<{ kind: CheckKind; untilMs: number; replicas: string }, { endedMs: number | null }>(
      `SELECT MAX(ended_ms) AS endedMs FROM task INDEXED BY task_by_kind JOIN preservation_check ON task_id = task.id
       WHERE kind = @kind AND ${isWhole} AND ended_ms <= @untilMs AND files_pattern IS NULL AND sample IS NULL
         AND NOT EXISTS (
           SELECT 1 FROM json_each(@replicas) AS wanted
           WHERE wanted.value NOT IN (SELECT value FROM json_each(preservation_check.replicas)))`,
    ),
    /** Start of the last spot check that at least one replica answered, and of the last one at all. A check that no replica answered
     *  has proved nothing, as when all drives were disconnected. Those that started after `untilMs` are ignored. */
    lastSpots: store.statement<{ untilMs: number }, LastSpots>(
      `SELECT MAX(started_ms) FILTER (WHERE EXISTS (
           SELECT 1 FROM spot WHERE task_id = task.id AND verdict <> 'none')) AS answeredMs,
         MAX(started_ms) AS triedMs
       FROM task INDEXED BY task_by_kind WHERE kind = 'spot' AND started_ms <= @untilMs`,
    ),
  }
}
