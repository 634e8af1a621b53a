/** Statuses of documents as decisions and links need them. */
import { decidedState, type DeliveryDecision } from '../../src-main/contract/services/deliveries.ts'
import { deliveryStates, statesBefore, type DeliveryState } from '../../src-main/contract/states/deliveryStates.ts'

export type StatusCounts = Partial<Record<DeliveryState, number>>

/** Whether the table of states lets a decision change documents in this status. */
export function canDecide(decision: DeliveryDecision, state: DeliveryState): boolean {
  return statesBefore(decidedState[decision]).includes(state)
}

/** Returns the statuses in which there are documents, in the order of the table. */
export function statesIn(counts: StatusCounts): DeliveryState[] {
  return deliveryStates.states.filter((state) => (counts[state] ?? 0) > 0)
}

/** Most urgent first: what was given up or refused, what has failed, what may have arrived or not. */
const urgency: readonly DeliveryState[] = ['DEAD', 'ERROR_DOC', 'ERROR', 'INDEXING']

/** Returns the status that someone most likely looks for: what was delivered, where nothing needs attention. */
export function mostUrgent(counts: StatusCounts): DeliveryState {
  const present = statesIn(counts)
  return urgency.find((state) => present.includes(state)) ?? 'INDEXED'
}

/** Adds up the counts of several destinations. */
export function summed(all: readonly StatusCounts[]): StatusCounts {
  const sums = deliveryStates.states.map((state) => [state, all.reduce((sum, counts) => sum + (counts[state] ?? 0), 0)])
  return Object.fromEntries(sums) as StatusCounts
}
