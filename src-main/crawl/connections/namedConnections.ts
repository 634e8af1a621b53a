/** Connections that a definition names. A definition has a copy of what they say, so that everything that reads it finds settings; the copy
 *  is renewed whenever a definition is stored or read for a run. */
import { Fault } from '../../contract/calls/faults.ts'
import type { ConnectionKind } from '../../contract/services/connections.ts'
import type { ConnectorChoice } from '../../contract/services/connectors.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import {
  connectionNamed,
  connectionReader,
  type OutputConnection,
  type RepositoryConnection,
  type StoredConnection,
} from './storedConnection.ts'

/** The part of a definition that may name connections. */
export type WithConnectors = Pick<HarvestDefinition, 'connectors'>

/** The connections of a job. */
export interface NamedConnections {
  repository?: RepositoryConnection
  output?: OutputConnection
}

/** Tells whether a choice names a connection. */
export function namesConnection(choice: ConnectorChoice | undefined): choice is ConnectorChoice {
  return choice?.repositoryConnection !== undefined || choice?.outputConnection !== undefined
}

/** Returns the connections that a definition names. One that was lost with the database is left out. */
export function connectionsNamed(store: Store, { connectors }: WithConnectors): NamedConnections {
  if (!namesConnection(connectors)) return {}
  const read = connectionReader(store)
  const repository = connectionNamed(read, 'repository', connectors.repositoryConnection)
  const output = connectionNamed(read, 'output', connectors.outputConnection)
  return { ...(repository && { repository }), ...(output && { output }) }
}

/** Returns a stored definition with what its connections say now. The copy stays where a connection was lost with the database. */
export function withNamedConnections<Definition extends WithConnectors>(
  store: Store,
  definition: Definition,
): Definition {
  const { connectors } = definition
  if (!namesConnection(connectors)) return definition
  return { ...definition, connectors: copied(connectors, connectionsNamed(store, definition)) }
}

/** Returns a definition that a user gave with what its connections say. Throws `Fault` badInput for a connection that does not exist or
 *  is of the other kind. */
export function withGivenConnections<Definition extends WithConnectors>(
  store: Store,
  definition: Definition,
): Definition {
  const { connectors } = definition
  if (!namesConnection(connectors)) return definition
  refuseUnusable(store, connectors)
  return withNamedConnections(store, definition)
}

/** Throws `Fault` badInput if a choice names a connection that does not exist or is of the other kind. */
export function refuseUnusable(store: Store, choice: ConnectorChoice | undefined): void {
  const read = connectionReader(store)
  for (const [kind, field] of fields) {
    const name = choice?.[field]
    if (name !== undefined) refuseOther(read(name), { kind, field, name })
  }
}

const fields = [
  ['repository', 'repositoryConnection'],
  ['output', 'outputConnection'],
] as const satisfies [ConnectionKind, keyof ConnectorChoice][]

function refuseOther(
  found: StoredConnection | undefined,
  { kind, field, name }: { kind: ConnectionKind; field: string; name: string },
): void {
  if (found?.kind === kind) return
  const problem = found === undefined ? 'absent' : found.kind === 'output' ? 'isOutput' : 'isRepository'
  throw new Fault('badInput', message(`connection.${problem}`, { name }), { fields: [['connectors', field]] })
}

/** The names are written as the connections have them, so that the database finds the users of a connection. */
function copied(choice: ConnectorChoice, { repository, output }: NamedConnections): ConnectorChoice {
  return {
    ...choice,
    ...(repository && { repository: repository.settings, repositoryConnection: repository.name }),
    ...(output && { output: output.settings.connector, outputConnection: output.name }),
  }
}

/** Returns a definition whose request limits include the throttles of its source. */
export function withThrottlesOf<Definition extends Pick<HarvestDefinition, 'throttle'>>(
  definition: Definition,
  repository: RepositoryConnection | undefined,
): Definition {
  if (repository === undefined || repository.throttles.length === 0) return definition
  const { throttle } = definition
  return { ...definition, throttle: { ...throttle, rules: [...(throttle?.rules ?? []), ...repository.throttles] } }
}
