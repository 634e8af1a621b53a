/** Connections as the database has them. */
import { outputSettings, type ConnectionKind, type RecordedConnection } from '../../contract/services/connections.ts'
import { repositorySettings, type OutputName, type RepositorySettings } from '../../contract/services/connectors.ts'
import type { ThrottleRule } from '../../contract/shapes/throttle.ts'
import type { Store } from '../../storage/storage.ts'
import { connectionStatements, type ConnectionDbRow, type ThrottleDbRow } from './connections.sql.ts'

interface Common {
  id: number
  name: string
  description: string
  /** Most uses at once. */
  connectionsMax: number
}

/** A source of documents. */
export interface RepositoryConnection extends Common {
  kind: 'repository'
  settings: RepositorySettings
  throttles: ThrottleRule[]
}

/** A destination of captures. */
export interface OutputConnection extends Common {
  kind: 'output'
  settings: { connector: OutputName }
}

export type StoredConnection = RepositoryConnection | OutputConnection

/** Returns a function that reads a connection by its name, in any case of letters; undefined: there is none. */
export function connectionReader(store: Store): (name: string) => StoredConnection | undefined {
  const sql = connectionStatements(store)
  const connectionOf = connectionOfRow(sql)
  return (name) => {
    const row = sql.one.get({ name })
    return row && connectionOf(row)
  }
}

/** Returns a function that adds the throttles to a row. */
export function connectionOfRow(
  sql: Pick<ReturnType<typeof connectionStatements>, 'throttles'>,
): (row: ConnectionDbRow) => StoredConnection {
  return ({ kind, settings, ...row }) => {
    const stored: unknown = JSON.parse(settings)
    if (kind === 'output') return { ...row, kind, settings: outputSettings.parse(stored) }
    const throttles = sql.throttles.all({ id: row.id }).map(ruleOf)
    return { ...row, kind, settings: repositorySettings.parse(stored), throttles }
  }
}

type WriteStatements = Pick<ReturnType<typeof connectionStatements>, 'add' | 'dropThrottles' | 'addThrottle'>

/** Adds a connection whose name is free; called inside a transaction. */
export function addConnection(sql: WriteStatements, connection: RecordedConnection): void {
  const { name, description, kind, settings, connectionsMax } = connection
  const added = sql.add.get({ name, description, kind, settings: JSON.stringify(settings), connectionsMax })
  if (!added) throw new Error('The insertion returned no row.')
  if (connection.kind === 'repository') setThrottles(sql, added.id, connection.throttles)
}

/** Replaces the throttles of a connection; called inside a transaction. */
export function setThrottles(
  sql: Pick<WriteStatements, 'dropThrottles' | 'addThrottle'>,
  id: number,
  throttles: readonly ThrottleRule[],
): void {
  sql.dropThrottles.run({ id })
  throttles.forEach(({ match, ...rule }, position) => {
    const { description = null, fetchesPerMinute = null, connections = null, bytesPerSecond = null } = rule
    sql.addThrottle.run({ id, position, match, description, fetchesPerMinute, connections, bytesPerSecond })
  })
}

function ruleOf({ match, ...limits }: ThrottleDbRow): ThrottleRule {
  const given = Object.entries(limits).filter(([, value]) => value !== null)
  return { match, ...Object.fromEntries(given) }
}

/** Reads the connection of one kind with this name. An object of another kind does not count. */
export function connectionNamed<Kind extends ConnectionKind>(
  read: ReturnType<typeof connectionReader>,
  kind: Kind,
  name: string | undefined,
): Extract<StoredConnection, { kind: Kind }> | undefined {
  const found = name === undefined ? undefined : read(name)
  return isOfKind(found, kind) ? found : undefined
}

function isOfKind<Kind extends ConnectionKind>(
  connection: StoredConnection | undefined,
  kind: Kind,
): connection is Extract<StoredConnection, { kind: Kind }> {
  return connection?.kind === kind
}
