/** The connectors installed in this archive, their versions, and the jobs that need them. The jobs of a connector wait while it
 *  is not installed, or while its code is older than the version that the archive was used with. */
import { joined } from '../../../contract/words/joined.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import {
  connectorTexts,
  usualConnectors,
  type ConnectorName,
  type ConnectorRow,
} from '../../../contract/services/connectors.ts'
import { connectorStates } from '../../../contract/states/connectorStates.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { JobState } from '../../../contract/states/jobStates.ts'
import { openJobEnds } from '../../../delivery/jobOutputs.ts'
import { mover } from '../../../storage/guard.ts'
import type { Store } from '../../../storage/storage.ts'
import { assessmentOf, waitsForConnector } from './assessment.ts'
import type { OutputConnector, RepositoryConnector } from './connector.ts'
import { installedStatements, type InstalledRow } from './installed.sql.ts'
import { allConnectors } from './registry.ts'

/** The connectors of an archive. */
export interface Connectors {
  list(): ConnectorRow[]
  /** Installs a connector. Throws `Fault`: notFound for an unknown name, refused if the code of this Loupe is too old. */
  install(name: string): Moved
  /** Removes a connector from use. Throws `Fault` notFound for an unknown name. */
  deinstall(name: string): Moved
  /** Why a job cannot go on and what to do, for each connector that it or one of its outputs lacks; undefined if they lack none. */
  lackOf(job: number, definition: Pick<HarvestDefinition, 'connectors'>): Message | undefined
}

/** Result of installing or removing a connector. */
export interface Moved {
  row: ConnectorRow
  /** Ids of the jobs that changed state. */
  jobs: number[]
}

type Known = Pick<RepositoryConnector | OutputConnector, 'name' | 'version'> & object

/** Opens the connectors of an archive. Records connectors that are new or newer than the archive knows, and marks older ones. */
export function openConnectors(store: Store, known: readonly Known[] = allConnectors): Connectors {
  const sql = installedStatements(store)
  const move = mover(store, connectorStates, { table: 'connector' })
  const assess = assessmentOf(store)
  const ends = openJobEnds(store)
  const rowOf = (name: string) => installedRow(sql, name)

  recordVersions(store, sql, known)

  function named(name: string): { connector: Known; row: InstalledRow } {
    const connector = known.find((one) => one.name === name.toLowerCase())
    const row = connector && rowOf(connector.name)
    if (connector && row) return { connector, row }
    const names = known.map((one) => one.name).join(', ')
    throw new Fault('notFound', message('connector.absent', { name, names }))
  }

  /** Moves the connector and its jobs in one transaction: once it is removed, no further work is begun with it. */
  function moved(connector: Known, row: InstalledRow, event: 'install' | 'deinstall'): Moved {
    const jobs = store.transaction(() => {
      move(row.id, event)
      return assess().map(({ job }) => job)
    })
    return { row: shownRow(sql, connector, named(connector.name).row), jobs }
  }

  return {
    list: () =>
      known.flatMap((connector) => {
        const row = rowOf(connector.name)
        return row ? [shownRow(sql, connector, row)] : []
      }),
    install(name) {
      const { connector, row } = named(name)
      if (connector.version < row.version) throw new Fault('refused', tooOld(connector, row))
      return moved(connector, row, 'install')
    },
    deinstall(name) {
      const { connector, row } = named(name)
      return moved(connector, row, 'deinstall')
    },
    lackOf(job, { connectors: { repository, output } = usualConnectors }) {
      const rows = new Map(sql.all.all({}).map((row) => [row.name, row]))
      const lacking = [repository.connector, output].flatMap((name) => {
        const row = rows.get(name)
        const connector = known.find((one) => one.name === name)
        if (!row || !connector) return [message('connector.unknown', { name })]
        return problemOf(connector, row) ?? []
      })
      const all = [...lacking, ...ends.lacking(job)]
      return all.length === 0 ? undefined : joined(all)
    },
  }
}

type Statements = ReturnType<typeof installedStatements>

function installedRow(sql: Statements, name: string): InstalledRow | undefined {
  return sql.all.all({}).find((row) => row.name === name)
}

/** Records connectors that are new to the archive or newer than when it was last used, and marks those that are older. Nothing is
 *  written if nothing has changed, so that an archive on a full disk can still be opened. */
function recordVersions(store: Store, sql: Statements, known: readonly Known[]): void {
  const move = mover(store, connectorStates, { table: 'connector' })
  const isRecorded = ({ name, version }: Known): boolean => {
    const row = installedRow(sql, name)
    if (!row) return false
    return version < row.version ? row.state !== 'INSTALLED' : version === row.version && row.state !== 'TOOOLD'
  }
  const record = (connector: Known): void => {
    const { name, version } = connector
    const row = installedRow(sql, name)
    if (!row) return void sql.add.run({ name, kind: kindOf(connector), version, state: connectorStates.initial })
    if (version < row.version) return void move(row.id, 'outdated')
    if (version > row.version) {
      sql.setVersion.run({ id: row.id, version })
      // A new version may find other documents, so the next seeding of its jobs starts from the beginning.
      sql.forgetSeedings.run({ name })
    }
    move(row.id, 'updated')
  }
  if (!known.every(isRecorded)) store.transaction(() => known.forEach(record))
}

/** A connector as it is shown to users, with the jobs that need it. */
function shownRow(sql: Statements, connector: Known, row: InstalledRow): ConnectorRow {
  const kind = kindOf(connector)
  const { name } = row
  const jobs = kind === 'output' ? sql.jobsOfOutput.all({ name }) : sql.jobsOfRepository.all({ name })
  const problem = problemOf(connector, row)
  // A job may wait for its other connector; it counts here only if this one has a problem.
  const waiting = problem === null ? [] : jobs.filter(({ state }) => waitsForConnector(state as JobState))
  return {
    name: connector.name,
    kind,
    ...connectorTexts[connector.name],
    state: row.state,
    version: connector.version,
    usedVersion: row.version,
    problem,
    jobs: jobs.length,
    waiting: waiting.map(({ id }) => id),
  }
}

function kindOf(connector: Known): 'repository' | 'output' {
  return isOutput(connector.name) ? 'output' : 'repository'
}

function isOutput(name: ConnectorName): boolean {
  return name === 'archive' || name === 'null'
}

function problemOf(connector: Known, row: InstalledRow): Message | null {
  if (row.state === 'TOOOLD') return tooOld(connector, row)
  if (row.state === 'INSTALLED') return null
  const { name } = connector
  return message('connector.notInstalled', { name, title: connectorTexts[name].title })
}

function tooOld({ name, version }: Known, row: InstalledRow): Message {
  return message('connector.tooOld', { title: connectorTexts[name].title, used: row.version, version })
}
