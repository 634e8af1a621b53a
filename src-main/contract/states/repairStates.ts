/**
 * States of the repair of one copy. They are kept in memory: a kill leaves the copy either as it was, or missing with its bad bytes in the
 * attic, and the next start repairs it again. What remains of a repair is its entry in the audit log.
 */
import { stateTable, type StateRow } from './stateTable.ts'

interface RepairRow extends StateRow {
  /** Action of the entry in the audit log (`auditActions`); null: not ended. */
  auditAction: string | null
  /** Whether the copy is good now; null: it was not changed, or its repair has not ended. */
  isGood: boolean | null
}

const rows = {
  RUNNING: {
    tone: 'running',
    auditAction: null,
    isGood: null,
    on: {
      done: { to: 'REPAIRED', owner: 'repair' },
      // A condition does not hold, or the bad copy cannot be moved to the attic.
      refused: { to: 'REFUSED', owner: 'repair' },
      failed: { to: 'FAILED', owner: 'repair' },
    },
  },
  REPAIRED: { tone: 'done', auditAction: 'repair', isGood: true, on: {} },
  REFUSED: { tone: 'attention', auditAction: 'repairRefused', isGood: null, on: {} },
  FAILED: { tone: 'failed', auditAction: 'repairFailed', isGood: false, on: {} },
} as const satisfies Record<string, RepairRow>

export const repairStates = stateTable('repairStates', 'RUNNING', rows)
export type RepairState = (typeof repairStates.states)[number]
export type EndedRepairState = Exclude<RepairState, 'RUNNING'>

/** Whether the repair has an outcome. */
export function isEndedRepair(state: RepairState): state is EndedRepairState {
  return rows[state].auditAction !== null
}

/** Returns the row of an outcome: its tone, its action in the audit log, and whether the copy is good. */
export function endOfRepair(state: EndedRepairState) {
  return rows[state]
}
