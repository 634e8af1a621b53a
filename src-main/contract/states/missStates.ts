/** States of a URL that is missing from a job. */
import { stateTable, type StateRow } from './stateTable.ts'

interface MissRow extends StateRow {
  /** Whether a patch job may be made for it. */
  isPatchable: boolean
}

const rows = {
  OPEN: {
    tone: 'attention',
    isPatchable: true,
    on: {
      ignored: { to: 'IGNORED', owner: 'user' },
      patched: { to: 'PATCHING', owner: 'user' },
      solved: { to: 'SOLVED', owner: 'harvest' },
    },
  },
  IGNORED: {
    tone: 'idle',
    isPatchable: false,
    on: {
      restored: { to: 'OPEN', owner: 'user' },
      solved: { to: 'SOLVED', owner: 'harvest' },
    },
  },
  PATCHING: {
    tone: 'running',
    isPatchable: false,
    on: {
      solved: { to: 'SOLVED', owner: 'harvest' },
      unsolved: { to: 'OPEN', owner: 'harvest' },
    },
  },
  SOLVED: {
    tone: 'done',
    isPatchable: false,
    on: { missedAgain: { to: 'OPEN', owner: 'viewer' } },
  },
} as const satisfies Record<string, MissRow>

export const missStates = stateTable('missStates', 'OPEN', rows)
export type MissState = (typeof missStates.states)[number]

/** Whether a patch job may be made for a URL in this state. */
export function isPatchable(state: MissState): boolean {
  return rows[state].isPatchable
}
