/** SQL statements about documents and their statuses. Triggers append an event for every status that is set. */
import { statesBefore, terminalDeliveryStates, type DeliveryState } from '../../contract/states/deliveryStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'

/** A stored document. */
export interface DocumentRow {
  id: number
  hash: string
}

/** The status of a document at a destination. */
export interface StatusRow {
  id: number
  document: number
  destination: number
  state: DeliveryState
}

interface Setting {
  id: number
  state: DeliveryState
  nowMs: number
  message: string | null
}

const columns = `status.id, status.document_id AS document, status.destination_id AS destination, status.state`
const isSettled = stateIn(terminalDeliveryStates, 'status.state')

/** The statements whose query plans are asserted: those that run for every document, and those that read waiting ones. */
export const hotStatusSql = {
  family: `SELECT ${columns} FROM delivery_status AS status WHERE document_id = @original
       UNION ALL SELECT ${columns} FROM delivery_document AS part JOIN delivery_status AS status ON status.document_id = part.id
       WHERE part.original_id = @original`,
  failures: `SELECT COUNT(*) AS count FROM (SELECT state FROM delivery_event WHERE status_id = @id AND state NOT IN ('BATCHED', 'INDEXING')
         ORDER BY id DESC LIMIT @newest) WHERE state = 'ERROR'`,
  inState: `SELECT document_id AS document, COALESCE(document.original_id, document.id) AS original
       FROM delivery_status AS status INDEXED BY delivery_status_by_state
         JOIN delivery_document AS document ON document.id = status.document_id
       WHERE status.destination_id = @destination AND status.state = @state AND status.document_id > @after
         AND (status.changed_ms + @delayMs <= @nowMs OR status.changed_ms > @nowMs)
       ORDER BY status.document_id LIMIT @limit`,
} as const

/** Prepares the statements. */
export function statusStatements(store: Store) {
  return {
    document: store.statement<{ scanner: number; key: string }, DocumentRow>(
      `SELECT id, hash FROM delivery_document WHERE scanner_id = @scanner AND key = @key`,
    ),
    keyOf: store.statement<{ id: number }, { key: string }>(`SELECT key FROM delivery_document WHERE id = @id`),
    put: store.statement<
      { scanner: number; key: string; hash: string; parent: number | null; original: number | null },
      { id: number }
    >(
      `INSERT INTO delivery_document (scanner_id, key, hash, parent_id, original_id) VALUES (@scanner, @key, @hash, @parent, @original)
       ON CONFLICT (scanner_id, key) DO UPDATE SET hash = excluded.hash RETURNING id`,
    ),
    statuses: store.statement<{ document: number }, StatusRow>(
      `SELECT ${columns} FROM delivery_status AS status WHERE document_id = @document`,
    ),
    /** Statuses of a scanned document and of all parts of it. */
    family: store.statement<{ original: number }, StatusRow>(hotStatusSql.family),
    partsAt: store.statement<{ parent: number; destination: number }, StatusRow>(
      `SELECT ${columns} FROM delivery_document AS part JOIN delivery_status AS status ON status.document_id = part.id
       WHERE part.parent_id = @parent AND status.destination_id = @destination`,
    ),
    hasParts: store.statement<{ parent: number }, { id: number }>(
      `SELECT id FROM delivery_document WHERE parent_id = @parent LIMIT 1`,
    ),
    unsettledPart: store.statement<{ parent: number; destination: number }, { id: number }>(
      `SELECT status.id FROM delivery_document AS part JOIN delivery_status AS status ON status.document_id = part.id
       WHERE part.parent_id = @parent AND status.destination_id = @destination AND NOT ${isSettled} LIMIT 1`,
    ),
    parentOf: store.statement<{ id: number }, { parent: number | null }>(
      `SELECT parent_id AS parent FROM delivery_document WHERE id = @id`,
    ),
    statusAt: store.statement<{ document: number; destination: number }, StatusRow>(
      `SELECT ${columns} FROM delivery_status AS status WHERE document_id = @document AND destination_id = @destination`,
    ),
    stateOf: store.statement<{ id: number }, StatusRow>(
      `SELECT ${columns} FROM delivery_status AS status WHERE id = @id`,
    ),
    add: store.statement<
      { document: number; destination: number; state: DeliveryState; nowMs: number; message: string | null },
      { id: number }
    >(
      `INSERT INTO delivery_status (document_id, destination_id, state, changed_ms, message)
       VALUES (@document, @destination, @state, @nowMs, @message) RETURNING id`,
    ),
    /** Failures among the newest events, without those of batches: attempts differ in the number of those. */
    failures: store.statement<{ id: number; newest: number }, { count: number }>(hotStatusSql.failures),
    /** Documents in a status at a destination, with the scanned document of each. Those since less than
     *  `delayMs` are left out, unless the clock was set back since. */
    inState: store.statement<
      { destination: number; state: DeliveryState; after: number; delayMs: number; nowMs: number; limit: number },
      { document: number; original: number }
    >(hotStatusSql.inState),
    /** Documents that may have been sent, without those that wait for their parts. */
    unknownOutcomes: store.statement<{ destination: number }, { count: number }>(
      `SELECT COUNT(*) AS count FROM delivery_status AS status INDEXED BY delivery_status_by_state
       WHERE destination_id = @destination AND state = 'INDEXING'
         AND NOT EXISTS (SELECT 1 FROM delivery_document WHERE parent_id = status.document_id)`,
    ),
  }
}

/** Prepares the statement that moves one status to a state, if the table of states allows it. */
export function moveStatement(store: Store, state: DeliveryState = 'PROCESSING') {
  const before = stateIn([state, ...statesBefore(state)])
  return store.statement<Omit<Setting, 'state'>>(
    `UPDATE delivery_status SET state = '${state}', changed_ms = @nowMs, message = @message WHERE id = @id AND ${before}`,
  )
}
