/** The connectors of the authority service: those of Loupe, and modules of the user under a name. A connector is used while it is installed. */
import type { z } from 'zod'
import { Fault, isPathPart, type FieldPath } from '../../contract/calls/faults.ts'
import { refusalOf } from '../../contract/calls/refusedValue.ts'
import type {
  AuthorityConnectionRow,
  AuthorityConnectorRow,
  AuthorityKind,
  ConnectorInstallation,
} from '../../contract/services/authorities.ts'
import { connectorStates } from '../../contract/states/connectorStates.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { callInstallation } from '../../modules/installation.ts'
import { pathOfModule } from '../../modules/userModule.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { Answer, MappedUser } from '../model/answer.ts'
import type { Connector, ConnectorParts, OpenConnection } from '../model/connector.ts'
import { authorityConnectorStatements, type ConnectorDbRow } from '../store/access.sql.ts'
import { isSameName } from '../store/sameName.ts'
import { fileAuthority } from './fileAuthority.ts'
import { ldapAuthority } from './ldapAuthority.ts'
import { nullAuthority } from './nullAuthority.ts'
import { patternMapper } from './patternMapper.ts'
import { moduleAuthority, moduleMapping } from './userModule.ts'

type Settings = Readonly<Record<string, string>>

/** The connectors of an archive. */
export interface AuthorityConnectors {
  list(): AuthorityConnectorRow[]
  /** Installs a connector. Rejects with `Fault`: notFound for a name that is none of Loupe's and has no module; badInput or refused for a module
   *  that cannot be used. */
  install(given: ConnectorInstallation): Promise<AuthorityConnectorRow>
  /** Deinstalls a connector. Rejects with `Fault`: notFound, or refused where the function `deinstall` of its module fails. */
  deinstall(named: { kind: AuthorityKind; name: string }): Promise<AuthorityConnectorRow>
  isInstalled(row: AuthorityConnectionRow): boolean
  /** Throws `Fault` badInput where the connector of a connection does not exist, or refuses its settings. */
  refuseWrong(row: AuthorityConnectionRow): void
  /** Opens a connection whose settings were accepted. */
  authorityOf(row: AuthorityConnectionRow): OpenConnection<Answer>
  mappingOf(row: AuthorityConnectionRow): OpenConnection<MappedUser>
}

/** A connector of Loupe, without the type of its settings. */
interface BuiltIn<Result> {
  name: string
  description: Message
  /** Returns what is wrong with the settings, and the path of the first that is wrong. */
  refusal(settings: Settings): { problem: Message; path: FieldPath } | undefined
  open(settings: Settings, parts: ConnectorParts): OpenConnection<Result>
}

const authorities = [builtIn(nullAuthority), builtIn(fileAuthority), builtIn(ldapAuthority)]
const mappings = [builtIn(patternMapper)]
const builtIns = { authority: authorities, mapping: mappings } as const

function builtIn<Value, Result>({ name, description, settings, open }: Connector<Value, Result>): BuiltIn<Result> {
  return {
    name,
    description,
    refusal(given) {
      const { error } = settings.safeParse(given) as { error?: z.ZodError }
      const path = error?.issues[0]?.path.filter(isPathPart) ?? []
      return error && { problem: refusalOf(error, given), path }
    },
    open: (given, parts) => open(settings.parse(given), parts),
  }
}

interface ConnectorsSetting extends ConnectorParts {
  store: Store
  /** Number of connections of a kind that use a connector. */
  countOf(kind: AuthorityKind, connector: string): number
}

/** Opens the connectors. */
export function openAuthorityConnectors(setting: ConnectorsSetting): AuthorityConnectors {
  const { store, world, archiveFolders, countOf } = setting
  const sql = authorityConnectorStatements(store)
  const move = mover(store, connectorStates, { table: 'authority_connector' })

  function shown({ kind, name, description, module, state }: ConnectorDbRow): AuthorityConnectorRow {
    const own = builtInOf(kind, name)
    const text = own && module === null ? own.description : message('text', { text: description })
    return { kind, name, description: text, module, state, connections: countOf(kind, name) }
  }

  function named(of: { kind: AuthorityKind; name: string }): ConnectorDbRow {
    const row = sql.one.get(of)
    if (row) return row
    const names = sql.all.all({}).filter(({ kind }) => kind === of.kind).map(({ name }) => name) // prettier-ignore
    throw new Fault('notFound', message('connector.absent', { name: of.name, names: names.join(', ') }))
  }

  /** Calls what a module exports for its installation. Rejects with `Fault` refused where it fails. */
  async function callModule(module: string, called: 'install' | 'deinstall'): Promise<void> {
    const result = await callInstallation(setting, { module, function: called, isVersioned: false })
    if ('problem' in result) throw new Fault('refused', result.problem, { fields: [['module']] })
  }

  async function modulePathOf({ kind, name, module }: ConnectorInstallation): Promise<string | null> {
    if (builtInOf(kind, name)) {
      if (module === undefined) return null
      throw new Fault('badInput', message('authority.connector.taken', { name }), { fields: [['name']] })
    }
    if (module === undefined) return named({ kind, name }).module
    return pathOfModule(world.disk, module, { archiveFolders, field: ['module'] })
  }

  return {
    list: () => sql.all.all({}).map(shown),
    async install(given) {
      const module = await modulePathOf(given)
      if (module !== null) await callModule(module, 'install')
      return store.transaction(() => {
        const { kind, name } = given
        const row = sql.one.get({ kind, name })
        const description = given.description ?? row?.description ?? ''
        if (row) {
          sql.describe.run({ id: row.id, description, module })
          move(row.id, 'install')
        } else sql.add.run({ kind, name, description, module, state: connectorStates.initial })
        return shown(named({ kind, name }))
      })
    },
    async deinstall(of) {
      const { module } = named(of)
      if (module !== null) await callModule(module, 'deinstall')
      return store.transaction(() => {
        move(named(of).id, 'deinstall')
        return shown(named(of))
      })
    },
    isInstalled: ({ kind, connector: name }) => sql.one.get({ kind, name })?.state === 'INSTALLED',
    refuseWrong({ kind, connector: name, settings }) {
      named({ kind, name })
      const refusal = builtInOf(kind, name)?.refusal(settings)
      if (refusal) throw new Fault('badInput', refusal.problem, { fields: [['settings', ...refusal.path]] })
    },
    authorityOf: (row) => {
      const own = authorities.find(({ name }) => isSameName(name, row.connector))
      return own ? own.open(row.settings, setting) : moduleAuthority(setting, moduleOf(row))
    },
    mappingOf: (row) => {
      const own = mappings.find(({ name }) => isSameName(name, row.connector))
      return own ? own.open(row.settings, setting) : moduleMapping(setting, moduleOf(row))
    },
  }

  function moduleOf({ kind, connector: name, settings }: AuthorityConnectionRow): { path: string; settings: Settings } {
    const { module: path } = named({ kind, name })
    if (path === null) throw new Error(`the connector ${name} has no module`)
    return { path, settings }
  }
}

function builtInOf(kind: AuthorityKind, name: string): BuiltIn<Answer> | BuiltIn<MappedUser> | undefined {
  return builtIns[kind].find((each) => isSameName(each.name, name))
}
