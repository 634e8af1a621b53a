/** SQL statements about the versions of plans that run. */
import type { Store } from '../../storage/storage.ts'

/** A run as it is stored. */
export interface PlanRunRow {
  /** Id of the version. */
  plan: number
  name: string
  isOnce: boolean
}

type DbRow = Omit<PlanRunRow, 'isOnce'> & { isOnce: number }

/** Prepares the statements. */
export function planRunStatements(store: Store) {
  const columns = `run.plan_id AS plan, plan.name, run.is_once AS isOnce`
  const joined = `delivery_run AS run JOIN delivery_plan AS plan ON plan.id = run.plan_id`
  const runs = store.statement<Record<string, never>, DbRow>(
    `SELECT ${columns} FROM ${joined} ORDER BY run.started_ms, run.plan_id`,
  )
  const ofName = store.statement<{ name: string }, DbRow>(`SELECT ${columns} FROM ${joined} WHERE plan.name = @name`)
  return {
    /** Oldest first. */
    runs: (): PlanRunRow[] => runs.all({}).map(runOf),
    ofName(name: string): PlanRunRow | undefined {
      const row = ofName.get({ name })
      return row && runOf(row)
    },
    start: store.statement<{ plan: number; isOnce: number; nowMs: number }>(
      `INSERT INTO delivery_run (plan_id, is_once, started_ms) VALUES (@plan, @isOnce, @nowMs)`,
    ),
    end: store.statement<{ plan: number }>(`DELETE FROM delivery_run WHERE plan_id = @plan`),
    newestEvent: store.statement<Record<string, never>, { id: number }>(
      `SELECT COALESCE(MAX(id), 0) AS id FROM delivery_event`,
    ),
  }
}

function runOf(row: DbRow): PlanRunRow {
  return { ...row, isOnce: row.isOnce === 1 }
}
