/** Connections in the metadata files of jobs: after the database was lost, recovery adds them again together with the jobs. */
import type { RecordedConnection } from '../../contract/services/connections.ts'
import type { Store } from '../../storage/storage.ts'
import { connectionStatements } from './connections.sql.ts'
import { connectionsNamed, type WithConnectors } from './namedConnections.ts'
import { addConnection } from './storedConnection.ts'

/** Returns the connections that a definition names, as its metadata file records them. */
export function recordedConnections(store: Store, definition: WithConnectors): RecordedConnection[] {
  const { repository, output } = connectionsNamed(store, definition)
  return [repository, output].flatMap((named) => {
    if (named === undefined) return []
    const { id: _, ...connection } = named
    return [connection]
  })
}

/** Adds recorded connections whose name is free; called inside a transaction. */
export function restoreConnections(store: Store, recorded: readonly RecordedConnection[]): void {
  const sql = connectionStatements(store)
  for (const connection of recorded) if (!sql.one.get({ name: connection.name })) addConnection(sql, connection)
}

/** Returns a definition without the names of connections that are absent here, or are something else under the same name. The definition
 *  keeps its copy of what they said. */
export function withUsableNames<Definition extends WithConnectors>(store: Store, definition: Definition): Definition {
  if (!definition.connectors) return definition
  const { repositoryConnection: _, outputConnection: __, ...inline } = definition.connectors
  const { repository, output } = connectionsNamed(store, definition)
  const isSource = repository?.settings.connector === inline.repository.connector
  const isOutput = output?.settings.connector === inline.output
  const names = {
    ...(isSource && { repositoryConnection: repository.name }),
    ...(isOutput && { outputConnection: output.name }),
  }
  return { ...definition, connectors: { ...inline, ...names } }
}
