/** Service `connectors` of the contract: lists, installs and deinstalls them. */
import type { ConnectorRow } from '../../contract/services/connectors.ts'
import type { Loupe } from '../../contract/contract.ts'
import type { Connectors, Moved } from '../../crawl/crawl.ts'
import type { Signals } from '../signals/signals.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export function connectorsService({
  connectors,
  signals,
}: {
  connectors: Connectors
  signals: Signals
}): Loupe['connectors'] {
  const changes = emitter<ConnectorRow>()
  /** Reports the new state of a connector, and the jobs that gained or lost a connector they need. */
  const changed = ({ row, jobs }: Moved): ConnectorRow => {
    changes.emit(row)
    for (const job of jobs) signals.report({ kind: 'changed', job })
    return row
  }
  return {
    list: async () => connectors.list(),
    install: async ({ name }) => changed(connectors.install(name)),
    deinstall: async ({ name }) => changed(connectors.deinstall(name)),
    changed: changes.on,
  }
}
