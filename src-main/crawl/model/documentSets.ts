/** Sets of document states as SQL conditions. Those of the queue repeat the text of its partial indexes
 *  (`storage/steps/queue.ts`) exactly: SQLite uses a partial index only if the condition matches. */
import { heldDocumentStates, waitingDocumentStates } from '../../contract/states/documentStates.ts'

/** Returns the condition that `state` is one of the given states. */
export function oneOf(states: readonly string[]): string {
  return `state IN (${states.map((state) => `'${state}'`).join(', ')})`
}

/** Documents that may be handed out. */
export const isWaiting = oneOf(waitingDocumentStates)
/** Documents claimed by a worker or a loop. */
export const isInProgress = oneOf(heldDocumentStates)
