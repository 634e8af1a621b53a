/** SQL statements about versions of plans, their scanners and destinations. */
import type { Store } from '../../storage/storage.ts'

/** A stored version of a plan. */
export interface PlanDbRow {
  id: number
  name: string
  version: number
  plan: string
  createdMs: number
  /** JSON: statuses that are being copied from the version before; null: none. */
  keeping: string | null
}

const columns = `id, name, version, plan, created_ms AS createdMs, keeping`

/** Prepares the statements. */
export function planStatements(store: Store) {
  return {
    add: store.statement<
      { name: string; plan: string; toml: string; nowMs: number; keeping: string | null },
      { id: number; version: number }
    >(
      `INSERT INTO delivery_plan (name, version, plan, toml, created_ms, keeping)
       VALUES (@name, (SELECT COALESCE(MAX(version), 0) + 1 FROM delivery_plan WHERE name = @name AND output_id IS NULL), @plan, @toml, @nowMs, @keeping)
       RETURNING id, version`,
    ),
    one: store.statement<{ id: number }, PlanDbRow>(`SELECT ${columns} FROM delivery_plan WHERE id = @id`),
    toml: store.statement<{ id: number }, { toml: string }>(`SELECT toml FROM delivery_plan WHERE id = @id`),
    /** Newest versions first. */
    versions: store.statement<{ name: string }, PlanDbRow>(
      `SELECT ${columns} FROM delivery_plan WHERE name = @name AND output_id IS NULL ORDER BY version DESC`,
    ),
    newest: store.statement<Record<string, never>, PlanDbRow>(
      `SELECT ${columns} FROM delivery_plan AS plan
       WHERE output_id IS NULL
         AND version = (SELECT MAX(version) FROM delivery_plan WHERE name = plan.name AND output_id IS NULL) ORDER BY name`,
    ),
    addScanner: store.statement<{ plan: number; name: string }, { id: number }>(
      `INSERT INTO delivery_scanner (plan_id, name) VALUES (@plan, @name) RETURNING id`,
    ),
    scanners: store.statement<{ plan: number }, { id: number; name: string }>(
      `SELECT id, name FROM delivery_scanner WHERE plan_id = @plan ORDER BY id`,
    ),
    addDestination: store.statement<{ scanner: number; name: string }, { id: number }>(
      `INSERT INTO delivery_destination (scanner_id, name) VALUES (@scanner, @name) RETURNING id`,
    ),
    destinations: store.statement<{ scanner: number }, { id: number; name: string }>(
      `SELECT id, name FROM delivery_destination WHERE scanner_id = @scanner ORDER BY id`,
    ),
  }
}
