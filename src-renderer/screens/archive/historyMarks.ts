/** Marks in the history strip of a replica. Pure. */
import type { ReplicaEvent } from '../../../src-main/contract/services/replicas.ts'

/** `fine`: complete, without findings. `damage`: with findings. `unfinished`: incomplete, without findings so far. `repaired`: a copy was
 *  restored. */
export const outcomes = ['fine', 'damage', 'unfinished', 'repaired'] as const
export type Outcome = (typeof outcomes)[number]

export const eventKinds = ['missing', 'checksums', 'spot', 'repair'] as const satisfies readonly ReplicaEvent['kind'][]

/** Two lines of marks on the narrowest card. Older events are in the list of checks. */
const marksMax = 24

export function outcomeOf({ kind, state, findings }: ReplicaEvent): Outcome {
  if (findings > 0) return 'damage'
  if (state === 'unfinished') return 'unfinished'
  return kind === 'repair' ? 'repaired' : 'fine'
}

/** The most recent events, the oldest first. */
export function marksOf(events: readonly ReplicaEvent[]): readonly ReplicaEvent[] {
  return events.slice(-marksMax)
}
