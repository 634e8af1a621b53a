/** SQL statements about the schedules of harvests. */
import type { Store } from '../../storage/storage.ts'

/** A stored schedule. */
export interface HarvestScheduleDbRow {
  id: number
  name: string
  comments: string
  timing: string
  isBuiltIn: number
  harvests: number
}

const columns = `harvest_schedule.id, name, comments, timing, is_built_in AS isBuiltIn,
  (SELECT COUNT(*) FROM harvest_definition WHERE schedule_id = harvest_schedule.id) AS harvests`

/** Prepares the statements. */
export function harvestScheduleStatements(store: Store) {
  return {
    all: store.statement<object, HarvestScheduleDbRow>(
      `SELECT ${columns} FROM harvest_schedule ORDER BY is_built_in DESC, id`,
    ),
    byName: store.statement<{ name: string }, HarvestScheduleDbRow>(
      `SELECT ${columns} FROM harvest_schedule WHERE name = @name`,
    ),
    usersOf: store.statement<{ id: number; limit: number }, { name: string }>(
      `SELECT name FROM harvest_definition WHERE schedule_id = @id ORDER BY name LIMIT @limit`,
    ),
    add: store.statement<{ name: string; comments: string; timing: string }>(
      `INSERT INTO harvest_schedule (name, comments, timing) VALUES (@name, @comments, @timing)`,
    ),
    edit: store.statement<{ id: number; name: string; comments: string; timing: string }>(
      `UPDATE harvest_schedule SET name = @name, comments = @comments, timing = @timing WHERE id = @id`,
    ),
    remove: store.statement<{ id: number }>(`DELETE FROM harvest_schedule WHERE id = @id`),
    /** Plans the next run of the active harvests that use the schedule. */
    plan: store.statement<{ id: number; nextMs: number | null }>(
      `UPDATE harvest_definition SET next_run_ms = @nextMs WHERE schedule_id = @id AND is_active = 1`,
    ),
  }
}
