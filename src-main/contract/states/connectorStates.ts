/** Whether jobs may use a connector. A connector that is not available makes its jobs wait; it ends none of them. */
import { stateTable } from './stateTable.ts'

export const connectorStates = stateTable('connectorStates', 'INSTALLED', {
  INSTALLED: {
    meaning: 'Jobs can use this connector.',
    badge: 'Installed',
    tone: 'done',
    on: {
      deinstall: { to: 'DEINSTALLED', owner: 'person' },
      // An older version may misread what a newer one wrote.
      outdated: { to: 'TOOOLD', owner: 'recovery' },
    },
  },
  DEINSTALLED: {
    meaning: 'The connector is not installed. Its jobs wait until it is installed again.',
    badge: 'Not installed',
    tone: 'idle',
    on: { install: { to: 'INSTALLED', owner: 'person' } },
  },
  TOOOLD: {
    meaning: 'The archive was last used with a newer version of this connector. Its jobs wait until Loupe is updated.',
    badge: 'Too old',
    tone: 'attention',
    on: {
      takenUp: { to: 'INSTALLED', owner: 'recovery' },
      deinstall: { to: 'DEINSTALLED', owner: 'person' },
    },
  },
})

export type ConnectorState = (typeof connectorStates)['states'][number]
