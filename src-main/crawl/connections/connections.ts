/** The connections of an archive: listed, added, changed and removed. Jobs that are running learn of a change from the version of their
 *  definition, and continue with it at their next document. */
import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../contract/calls/faults.ts'
import type {
  ConnectionChange,
  ConnectionInput,
  ConnectionKind,
  ConnectionRow,
} from '../../contract/services/connections.ts'
import { connectorTexts } from '../../contract/services/connectors.ts'
import { jobStates } from '../../contract/states/states.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { jobLogOf } from '../model/jobLog.ts'
import { connectionStatements, connectionUserStatements, type UserRow } from './connections.sql.ts'
import { addConnection, connectionOfRow, setThrottles, type StoredConnection } from './storedConnection.ts'

/** The connections. Functions that name one throw `Fault` notFound where there is none. */
export interface Connections {
  list(kind?: ConnectionKind): ConnectionRow[]
  show(name: string): ConnectionRow
  /** Adds a connection. Throws `Fault` badInput if its name is taken. */
  add(input: ConnectionInput): ConnectionRow
  /** Changes a connection. Throws `Fault` badInput for settings of another connector, and for throttles of an output. */
  edit(name: string, change: ConnectionChange): Changed
  /** Removes a connection. Throws `Fault` refused while a job uses it, or one of the templates that `naming` returns names it. */
  remove(name: string, naming: (name: string) => readonly string[]): void
  /** Returns a connection as it is stored. */
  stored(name: string): StoredConnection
  /** At most `limit` jobs that use a connection, newest first. */
  users(name: string, limit: number): UserRow[]
}

/** A connection after a change, and the ids of the running jobs that continue with it. */
export interface Changed {
  row: ConnectionRow
  jobs: number[]
}

/** Jobs and templates that are named where a connection is used. */
const namedMax = 5

/** Opens the connections. */
export function openConnections(store: Store, { clock }: Pick<World, 'clock'>): Connections {
  const sql = connectionStatements(store)
  const connectionOf = connectionOfRow(sql)
  const usersOf = {
    repository: connectionUserStatements(store, 'repository'),
    output: connectionUserStatements(store, 'output'),
  }
  const log = jobLogOf(store)

  function stored(name: string): StoredConnection {
    const row = sql.one.get({ name })
    if (row) return connectionOf(row)
    throw new Fault('notFound', message('connection.absent', { name }), { fields: [['name']] })
  }

  function shown({ id: _, ...connection }: StoredConnection): ConnectionRow {
    const { kind, name, settings } = connection
    const jobs = usersOf[kind].count.get({ name })?.jobs ?? 0
    return { ...connection, title: connectorTexts[settings.connector].title, jobs }
  }

  /** Makes the jobs of a connection continue with it. Returns those with a run in progress. */
  function renewed(before: StoredConnection, after: StoredConnection): number[] {
    const { id: _, description: _before, ...inForce } = before
    const { id: __, description: _after, ...now } = after
    if (isDeepStrictEqual(inForce, now)) return []
    const { kind, name } = after
    const isFromBeginning = isDeepStrictEqual(before.settings, after.settings) ? 0 : 1
    usersOf[kind].renew.run({ name, isFromBeginning })
    const running = usersOf[kind].running.all({ name, atRest: jobStates.initial })
    for (const { job } of running)
      log.add({ job, nowMs: clock.now(), level: 'info', message: message('jobLog.connection.changed', { name }) })
    return running.map(({ job }) => job)
  }

  function change(before: StoredConnection, { description, settings, connectionsMax, throttles }: ConnectionChange) {
    const { id, name, kind } = before
    if (settings && settings.connector !== before.settings.connector) {
      const connector = connectorTexts[before.settings.connector].title
      throw refusal('settings', message('connection.connector', { name, connector }))
    }
    if (throttles && kind === 'output') throw refusal('throttles', message('connection.noThrottles', { name }))
    sql.change.run({
      id,
      description: description ?? before.description,
      settings: JSON.stringify(settings ?? before.settings),
      connectionsMax: connectionsMax ?? before.connectionsMax,
    })
    if (throttles) setThrottles(sql, id, throttles)
  }

  return {
    list: (kind) => {
      const all = sql.all.all({}).map(connectionOf)
      return all.filter((connection) => kind === undefined || connection.kind === kind).map(shown)
    },
    show: (name) => shown(stored(name)),
    add: (input) =>
      store.transaction(() => {
        const { name } = input
        if (sql.one.get({ name })) throw refusal('name', message('connection.exists', { name }))
        addConnection(sql, input)
        return shown(stored(name))
      }),
    edit: (name, given) =>
      store.transaction(() => {
        const before = stored(name)
        change(before, given)
        const after = stored(name)
        return { jobs: renewed(before, after), row: shown(after) }
      }),
    remove: (given, naming) =>
      store.transaction(() => {
        const { id, kind, name } = stored(given)
        refuseUsed(name, usersOf[kind], naming)
        sql.remove.run({ id })
      }),
    stored,
    users: (given, limit) => {
      const { kind, name } = stored(given)
      return usersOf[kind].users.all({ name, limit })
    },
  }
}

function refusal(field: string, problem: Message): Fault {
  return new Fault('badInput', problem, { fields: [[field]] })
}

type UserStatements = Pick<ReturnType<typeof connectionUserStatements>, 'count' | 'users'>

function refuseUsed(name: string, sql: UserStatements, naming: (name: string) => readonly string[]): void {
  const count = sql.count.get({ name })?.jobs ?? 0
  if (count > 0) {
    const jobs = sql.users.all({ name, limit: namedMax + 1 }).map((user) => `${user.job} (${user.name})`)
    throw new Fault('refused', message('connection.used', { name, count, names: firstOf(jobs) }))
  }
  const templates = naming(name)
  if (templates.length > 0) {
    const used = { name, count: templates.length, names: firstOf(templates) }
    throw new Fault('refused', message('connection.usedByTemplates', used))
  }
}

function firstOf(names: readonly string[]): string {
  return [...names.slice(0, namedMax), ...(names.length > namedMax ? ['…'] : [])].join(', ')
}
