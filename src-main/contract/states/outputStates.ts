/** States of connectors of the user, and of the notices to outputs that a job has ended. */
import { stateTable } from './stateTable.ts'

/**
 * A connector of the user that was registered. Its functions `install` and `deinstall` may be interrupted by a kill: the states say which of
 * them has to be called again. Jobs wait while the connector of one of their outputs is not INSTALLED. A connector that is deregistered has
 * no row.
 */
export const outputConnectorStates = stateTable('outputConnectorStates', 'INSTALLING', {
  INSTALLING: {
    tone: 'waiting',
    on: {
      installed: { to: 'INSTALLED', owner: 'connectors' },
      deregister: { to: 'DEINSTALLING', owner: 'user' },
    },
  },
  INSTALLED: {
    tone: 'done',
    on: {
      register: { to: 'INSTALLING', owner: 'user' },
      deregister: { to: 'DEINSTALLING', owner: 'user' },
    },
  },
  DEINSTALLING: {
    tone: 'waiting',
    on: { register: { to: 'INSTALLING', owner: 'user' } },
  },
})
export type OutputConnectorState = (typeof outputConnectorStates.states)[number]

/** What an output is told about a job: a run has ended, or the job was deleted. */
export const outputNoticeKinds = ['completed', 'deleted'] as const
export type OutputNoticeKind = (typeof outputNoticeKinds)[number]

/** A notice to one output. It is repeated after a kill: what it asks for may be done twice. A failure ends no job: it is reported. */
export const outputNoticeStates = stateTable('outputNoticeStates', 'WAITING', {
  WAITING: {
    tone: 'waiting',
    on: {
      told: { to: 'DONE', owner: 'output' },
      givenUp: { to: 'FAILED', owner: 'output' },
    },
  },
  DONE: { tone: 'done', on: {} },
  FAILED: { tone: 'failed', on: {} },
})
export type OutputNoticeState = (typeof outputNoticeStates.states)[number]
