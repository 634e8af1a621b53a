/** Whether jobs may use a connector. A connector that is not available makes its jobs wait; it ends none of them. */
import { stateTable } from './stateTable.ts'

export const connectorStates = stateTable('connectorStates', 'INSTALLED', {
  INSTALLED: {
    tone: 'done',
    on: {
      deinstall: { to: 'DEINSTALLED', owner: 'user' },
      // An older version may misread what a newer one wrote.
      outdated: { to: 'TOOOLD', owner: 'recovery' },
    },
  },
  DEINSTALLED: {
    tone: 'idle',
    on: { install: { to: 'INSTALLED', owner: 'user' } },
  },
  TOOOLD: {
    tone: 'attention',
    on: {
      updated: { to: 'INSTALLED', owner: 'recovery' },
      deinstall: { to: 'DEINSTALLED', owner: 'user' },
    },
  },
})

export type ConnectorState = (typeof connectorStates)['states'][number]
