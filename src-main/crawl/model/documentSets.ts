/** Sets of states, as conditions. Those of the queue are said word for word as its partial indexes say them
 *  (`storage/steps/queue.ts`): that is how SQLite knows that an index serves. */
import { heldDocumentStates, waitingDocumentStates } from '../../contract/states/documentStates.ts'

export function oneOf(states: readonly string[]): string {
  return `state IN (${states.map((state) => `'${state}'`).join(', ')})`
}

/** May be handed out. */
export const isWaiting = oneOf(waitingDocumentStates)
/** Claimed by a worker or a loop. */
export const isInProgress = oneOf(heldDocumentStates)
