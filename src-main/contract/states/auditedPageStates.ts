/** States of a page in a page audit. */
import { stateTable } from './stateTable.ts'

export const auditedPageStates = stateTable('auditedPageStates', 'QUEUED', {
  QUEUED: {
    tone: 'waiting',
    on: { opened: { to: 'OPENED', owner: 'task' } },
  },
  OPENED: {
    tone: 'running',
    on: {
      visited: { to: 'DONE', owner: 'task' },
      failed: { to: 'FAILED', owner: 'task' },
      // The audit was paused or stopped, or Loupe was killed.
      interrupted: { to: 'QUEUED', owner: 'recovery' },
    },
  },
  DONE: { tone: 'done', on: {} },
  FAILED: { tone: 'failed', on: {} },
})
export type AuditedPageState = (typeof auditedPageStates.states)[number]
