/** SQL statements about statuses for people: counts, lists and histories; and the compaction of events. */
import { terminalDeliveryStates, type DeliveryState } from '../../contract/states/deliveryStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'
import type { Store } from '../../storage/storage.ts'

/** A document at a destination, as people see it. */
export interface ListedStatus {
  id: number
  document: string
  destination: string
  state: DeliveryState
  changedMs: number
  message: string | null
}

/** An event of a document. */
export interface ListedEvent {
  destination: string
  state: DeliveryState
  atMs: number
  message: string | null
}

const dayMs = 86_400_000

const isSettled = stateIn(terminalDeliveryStates, 'status.state')

/** Prepares the statements. */
export function deliveryQueryStatements(store: Store) {
  return {
    /** Documents per status, as triggers count them. */
    counts: store.statement<{ destination: number }, { state: DeliveryState; count: number }>(
      `SELECT state, documents AS count FROM delivery_count WHERE destination_id = @destination AND documents > 0`,
    ),
    list: store.statement<{ destination: number; state: DeliveryState; after: number; limit: number }, ListedStatus>(
      `SELECT status.id, document.key AS document, destination.name AS destination, status.state, status.changed_ms AS changedMs, status.message
       FROM delivery_status AS status INDEXED BY delivery_status_by_state
         JOIN delivery_document AS document ON document.id = status.document_id
         JOIN delivery_destination AS destination ON destination.id = status.destination_id
       WHERE status.destination_id = @destination AND status.state = @state
         AND status.document_id > (SELECT COALESCE(MAX(document_id), 0) FROM delivery_status WHERE id = @after)
       ORDER BY status.document_id LIMIT @limit`,
    ),
    /** One document, if it is in the status. */
    one: store.statement<{ destination: number; state: DeliveryState; key: string }, ListedStatus>(
      `SELECT status.id, document.key AS document, destination.name AS destination, status.state, status.changed_ms AS changedMs, status.message
       FROM delivery_destination AS destination
         JOIN delivery_document AS document ON document.scanner_id = destination.scanner_id AND document.key = @key
         JOIN delivery_status AS status ON status.document_id = document.id AND status.destination_id = destination.id
       WHERE destination.id = @destination AND status.state = @state`,
    ),
    history: store.statement<{ scanner: number; key: string }, ListedEvent>(
      `SELECT destination.name AS destination, event.state, event.at_ms AS atMs, event.message
       FROM delivery_document AS document JOIN delivery_status AS status ON status.document_id = document.id
         JOIN delivery_event AS event ON event.status_id = status.id
         JOIN delivery_destination AS destination ON destination.id = status.destination_id
       WHERE document.scanner_id = @scanner AND document.key = @key ORDER BY event.id`,
    ),
    /** The last of the next events; null: there are none. */
    pageEnd: store.statement<{ after: number; limit: number }, { last: number | null }>(
      `SELECT MAX(id) AS last FROM (SELECT id FROM delivery_event WHERE id > @after ORDER BY id LIMIT @limit)`,
    ),
    /** Removes events of settled documents that are older than their plan keeps them, except the current one of each. What may be sent again
     *  keeps its events: they are counted. */
    compact: store.statement<{ after: number; last: number; nowMs: number }>(
      `DELETE FROM delivery_event WHERE id IN (
         SELECT event.id FROM delivery_event AS event JOIN delivery_status AS status ON status.id = event.status_id
           JOIN delivery_destination AS destination ON destination.id = status.destination_id
           JOIN delivery_scanner AS scanner ON scanner.id = destination.scanner_id
           JOIN delivery_plan AS plan ON plan.id = scanner.plan_id
         WHERE event.id > @after AND event.id <= @last AND ${isSettled}
           AND event.at_ms + json_extract(plan.plan, '$.keepDays') * ${dayMs} < @nowMs
           AND EXISTS (SELECT 1 FROM delivery_event AS later WHERE later.status_id = event.status_id AND later.id > event.id))`,
    ),
  }
}
