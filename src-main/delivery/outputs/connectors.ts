/** Connectors of the user, as they are registered. `install` is called when a module is registered, `deinstall` when it is deregistered; what a
 *  kill interrupts is repeated at the next start, so that both have to be idempotent. */
import { Fault, userMessageOf } from '../../contract/calls/faults.ts'
import { message, messageFrom, storedMessage, type Message } from '../../contract/words/message.ts'
import { outputConnectorStates } from '../../contract/states/outputStates.ts'
import type { OutputConnectorRow } from '../../contract/services/outputs.ts'
import { callInstallation } from '../../modules/installation.ts'
import { pathOfModule } from '../../modules/userModule.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { StepEnvironment } from '../model/steps.ts'
import { connectorStatements, type ConnectorDbRow } from './connectors.sql.ts'
import type { OpenedOutput } from './openedOutput.ts'
import { openUserConnector } from './userConnector.ts'

/** What the connectors work with. */
export interface ConnectorsSetting {
  store: Store
  world: World
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
}

/** The connectors of the user. Functions that name one throw `Fault` notFound where there is none. */
export interface UserConnectors {
  list(): OutputConnectorRow[]
  /** Notes that a module is to be installed. Throws `Fault`: badInput, notFound or refused for a module that cannot be used. */
  register(name: string, module: string): Promise<void>
  /** Notes that a connector is to be deinstalled: outputs do not use it from then on. */
  deregister(name: string): void
  one(name: string): OutputConnectorRow
}

/** Opens the registry of connectors. It runs no code of modules: `finishConnectors` does. */
export function openUserConnectors({ store, world, archiveFolders }: ConnectorsSetting): UserConnectors {
  const sql = connectorStatements(store)
  const move = mover(store, outputConnectorStates, { table: 'output_connector' })
  const one = (name: string): ConnectorDbRow => {
    const row = sql.one.get({ name })
    if (row) return row
    throw new Fault('notFound', message('outputConnector.absent', { name }), { fields: [['name']] })
  }
  return {
    list: () => sql.all.all({}).map(shown),
    one: (name) => shown(one(name)),
    async register(name, given) {
      const module = await pathOfModule(world.disk, given, { archiveFolders, field: ['module'] })
      sql.add.run({ name, module, state: outputConnectorStates.initial })
    },
    deregister: (name) => void move(one(name).id, 'deregister'),
  }
}

function shown({ id: _, problem, ...row }: ConnectorDbRow): OutputConnectorRow {
  return { ...row, problem: messageFrom(problem) }
}

/** Installs and deinstalls what is to be. What fails stays to be done, with the reason. Rejects with the reason of the signal. */
export async function finishConnectors(setting: ConnectorsSetting, signal?: AbortSignal): Promise<void> {
  const { store } = setting
  const sql = connectorStatements(store)
  const move = mover(store, outputConnectorStates, { table: 'output_connector' })
  for (const { id, name, module, state } of sql.all.all({})) {
    if (state === 'INSTALLED') continue
    const part = state === 'INSTALLING' ? 'install' : 'deinstall'
    const result = await callInstallation(setting, { module, function: part, isVersioned: true }, signal)
    store.transaction(() => {
      const now = sql.one.get({ name })
      // Another call has changed the registration since, and calls the function for its new state.
      if (now?.id !== id || now.state !== state || now.module !== module) return
      if ('problem' in result) sql.setProblem.run({ id, problem: storedMessage(result.problem) })
      else if (part === 'deinstall') sql.remove.run({ id })
      else {
        move(id, 'installed')
        sql.setVersion.run({ id, version: result.version })
      }
    })
  }
}

/** Opens the connector of an output. Returns what is wrong where it cannot be used. */
export async function loadConnector(
  { store, world }: StepEnvironment,
  {
    name,
    settings,
    archiveFolders,
  }: { name: string; settings: Readonly<Record<string, string>>; archiveFolders: readonly string[] },
): Promise<OpenedOutput | { problem: Message }> {
  const row = connectorStatements(store).one.get({ name })
  if (row?.state !== 'INSTALLED' || row.version === null)
    return { problem: message('outputConnector.absent', { name }) }
  try {
    const path = await pathOfModule(world.disk, row.module, { archiveFolders, field: ['module'] })
    return await openUserConnector(world, { path, settings, version: row.version })
  } catch (error) {
    if (error instanceof Fault) return { problem: userMessageOf(error) }
    throw error
  }
}
