/** States of a URL that is missing from a job. */
import { stateTable } from './stateTable.ts'

export const missStates = stateTable('missStates', 'OPEN', {
  OPEN: {
    tone: 'attention',
    on: {
      ignored: { to: 'IGNORED', owner: 'user' },
      patched: { to: 'PATCHING', owner: 'user' },
      solved: { to: 'SOLVED', owner: 'harvest' },
    },
  },
  IGNORED: {
    tone: 'idle',
    on: {
      restored: { to: 'OPEN', owner: 'user' },
      solved: { to: 'SOLVED', owner: 'harvest' },
    },
  },
  PATCHING: {
    tone: 'running',
    on: {
      solved: { to: 'SOLVED', owner: 'harvest' },
      unsolved: { to: 'OPEN', owner: 'harvest' },
    },
  },
  SOLVED: {
    tone: 'done',
    on: { missedAgain: { to: 'OPEN', owner: 'viewer' } },
  },
})
export type MissState = (typeof missStates.states)[number]
