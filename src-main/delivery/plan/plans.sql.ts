/** SQL statements about versions of plans, their scanners and destinations. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import type { Store } from '../../storage/storage.ts'

/** A stored version of a plan. */
export interface PlanDbRow {
  id: number
  name: string
  version: number
  plan: string
  createdMs: number
}

const columns = `id, name, version, plan, created_ms AS createdMs`

/** Prepares the statements. */
export function planStatements(store: Store) {
  return {
    add: store.statement<{ name: string; plan: string; nowMs: number }, { id: number; version: number }>(
      `INSERT INTO delivery_plan (name, version, plan, created_ms)
       VALUES (@name, (SELECT COALESCE(MAX(version), 0) + 1 FROM delivery_plan WHERE name = @name), @plan, @nowMs)
       RETURNING id, version`,
    ),
    one: store.statement<{ id: number }, PlanDbRow>(`SELECT ${columns} FROM delivery_plan WHERE id = @id`),
    /** Newest versions first. */
    versions: store.statement<{ name: string }, PlanDbRow>(
      `SELECT ${columns} FROM delivery_plan WHERE name = @name ORDER BY version DESC`,
    ),
    newest: store.statement<Record<string, never>, PlanDbRow>(
      `SELECT ${columns} FROM delivery_plan AS plan
       WHERE version = (SELECT MAX(version) FROM delivery_plan WHERE name = plan.name) ORDER BY name`,
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
    /** Copies the scanned documents, and then their parts level by level: `level` counts from 0. */
    keepDocuments: store.statement<{ from: number; to: number }>(
      `INSERT INTO delivery_document (scanner_id, key, hash) SELECT @to, key, hash FROM delivery_document
       WHERE scanner_id = @from AND parent_id IS NULL`,
    ),
    /** Copies parts whose parents have been copied; returns how many. */
    keepParts: store.statement<{ from: number; to: number }>(
      `INSERT INTO delivery_document (scanner_id, key, hash, parent_id, original_id)
       SELECT @to, part.key, part.hash, kept.id, COALESCE(kept.original_id, kept.id)
       FROM delivery_document AS part JOIN delivery_document AS parent ON parent.id = part.parent_id
         JOIN delivery_document AS kept ON kept.scanner_id = @to AND kept.key = parent.key
       WHERE part.scanner_id = @from ON CONFLICT (scanner_id, key) DO NOTHING`,
    ),
    keepStatuses: store.statement<{ from: number; to: number; state: DeliveryState }>(
      `INSERT INTO delivery_status (document_id, destination_id, state, changed_ms, message)
       SELECT kept.id, @to, status.state, status.changed_ms, status.message
       FROM delivery_status AS status INDEXED BY delivery_status_by_state JOIN delivery_document AS document ON document.id = status.document_id
         JOIN delivery_document AS kept ON kept.key = document.key
           AND kept.scanner_id = (SELECT scanner_id FROM delivery_destination WHERE id = @to)
       WHERE status.destination_id = @from AND status.state = @state`,
    ),
    forgetUnkept: store.statement<{ scanner: number }>(
      `DELETE FROM delivery_document WHERE scanner_id = @scanner
         AND NOT EXISTS (SELECT 1 FROM delivery_status WHERE document_id = delivery_document.id)
         AND NOT EXISTS (SELECT 1 FROM delivery_document AS part JOIN delivery_status ON document_id = part.id
                         WHERE part.original_id = delivery_document.id)`,
    ),
  }
}
