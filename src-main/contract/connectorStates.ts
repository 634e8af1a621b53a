/** Whether jobs may use a connector. One that is not there keeps its jobs waiting; it ends none of them. */
import { stateTable } from './stateTable.ts'

export const connectorStates = stateTable('connectorStates', 'INSTALLED', {
  INSTALLED: {
    meaning: 'Jobs may use it.',
    badge: 'Installed',
    tone: 'done',
    on: {
      deinstall: { to: 'DEINSTALLED', owner: 'person' },
      // What a newer one wrote down an older one may read wrongly.
      outdated: { to: 'TOOOLD', owner: 'recovery' },
    },
  },
  DEINSTALLED: {
    meaning: 'A person took it out of use: its jobs wait until it is installed again.',
    badge: 'Not installed',
    tone: 'idle',
    on: { install: { to: 'INSTALLED', owner: 'person' } },
  },
  TOOOLD: {
    meaning: 'This archive was used with a newer version of it than this Loupe has: its jobs wait for a newer Loupe.',
    badge: 'Too old',
    tone: 'attention',
    on: {
      takenUp: { to: 'INSTALLED', owner: 'recovery' },
      deinstall: { to: 'DEINSTALLED', owner: 'person' },
    },
  },
})

export type ConnectorState = (typeof connectorStates)['states'][number]
