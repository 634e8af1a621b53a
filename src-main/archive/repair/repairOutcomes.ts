/** The last outcome of each copy's repair, kept in memory for users who ask later, and sent to listeners as it changes. Older repairs
 *  are in the audit log. */
import { emitter } from '../../contract/calls/emitter.ts'
import { isEndedRepair } from '../../contract/states/repairStates.ts'
import type { RepairOutcome } from '../../contract/services/repairs.ts'
import { repairsKeptMax } from '../files/limits.ts'

export interface RepairOutcomes {
  /** Records the current state of a repair. The caller may go on changing the object: a copy is kept and sent. */
  report(outcome: RepairOutcome): void
  /** Repairs in progress and the last results, the most recently changed last. */
  known(): RepairOutcome[]
  onChange(listener: (outcome: RepairOutcome) => void): () => void
}

/** Creates the list, which is empty at every start. */
export function repairOutcomes(): RepairOutcomes {
  const changes = emitter<RepairOutcome>()
  /** By name and replica; the most recently changed is last. */
  const lastOf = new Map<string, RepairOutcome>()

  function forgetOldest(): void {
    const [oldest] = [...lastOf].find(([, { state }]) => isEndedRepair(state)) ?? []
    if (lastOf.size > repairsKeptMax && oldest !== undefined) lastOf.delete(oldest)
  }

  return {
    report(outcome) {
      const key = `${outcome.name}\n${outcome.replica}`
      lastOf.delete(key)
      lastOf.set(key, structuredClone(outcome))
      forgetOldest()
      changes.emit(structuredClone(outcome))
    },
    known: () => structuredClone([...lastOf.values()]),
    onChange: changes.on,
  }
}
