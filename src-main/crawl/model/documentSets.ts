/** Sets of document states as SQL conditions. The partial indexes of the queue (`storage/schema/documentTables.ts`) have the same
 *  conditions: SQLite uses a partial index only for a query with its condition. */
import {
  fetchedDocumentStates,
  heldDocumentStates,
  queuedDocumentStates,
  waitingDocumentStates,
} from '../../contract/states/documentStates.ts'
import { stateIn } from '../../storage/schema/stateIn.ts'

/** Documents that may be handed out. */
export const isWaiting = stateIn(waitingDocumentStates)
/** Documents claimed by a worker or a loop. */
export const isInProgress = stateIn(heldDocumentStates)
/** Documents that are being fetched. */
export const isFetching = stateIn(fetchedDocumentStates)
/** Documents that wait or are being fetched, in statements with other tables. The column `documents_queued` of a job counts them. */
export const isQueued = stateIn(queuedDocumentStates, 'document.state')
/** Documents whose capture is incomplete. Uses the index document_truncated. */
export const isIncomplete = `outcome = 'fetched' AND truncated IS NOT NULL`
