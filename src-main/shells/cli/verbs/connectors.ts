/** The verbs `loupe connector list|install|deinstall`, and the meaning of the options of `loupe harvest` for its connectors. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConnectorRow, RepositorySettings } from '../../../contract/services/connectors.ts'
import { connectorStates } from '../../../contract/states/connectorStates.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { optionName } from '../input/optionName.ts'
import { table } from '../output/output.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export async function listConnectors(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.connectors.list({})
    command.output.result(rows, () =>
      table(
        ['name', 'kind', 'state', '>version', '>jobs', '>waiting', 'description'],
        rows.map((row) => [
          row.name,
          row.kind,
          stateText(row),
          row.version,
          row.jobs,
          row.waiting.length,
          textOf(row.does),
        ]),
      ),
    )
    for (const { problem } of rows) if (problem !== null) command.output.note(textOf(problem))
    return rows.some(({ waiting }) => waiting.length > 0) ? 1 : 0
  })
}

export async function moveConnector(command: Command, verb: 'install' | 'deinstall', name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const row = await services.connectors[verb]({ name })
    command.output.result(row, () => {
      const [jobs, values] = [row.waiting.length, { connector: row.name, state: stateText(row) }]
      return jobs === 0 ? textFor('cli.connector.state', values) : textFor('cli.connector.waiting', { ...values, jobs })
    })
    return 0
  })
}

function stateText({ state }: ConnectorRow): string {
  return textOf(connectorStates.rows[state].badge)
}

interface Words extends ConnectorWords, Record<string, unknown> {
  seeds: string[]
  connector?: string
  output?: string
  connection?: string
  outputConnection?: string
}

/** Options that are settings of one connector. */
interface ConnectorWords {
  changedSince?: string | undefined
  olderParts?: true | undefined
  hidden?: true | undefined
  /** Path of a module; relative to the current folder. */
  module?: string | undefined
  /** `name=value`, for the module. */
  moduleSetting?: string[] | undefined
}

/** The kind of connector that each further option belongs to. */
const kindOf = {
  changedSince: 'sitemap',
  olderParts: 'feed',
  hidden: 'folder',
  module: 'module',
  moduleSetting: 'module',
} as const

/** Returns a connector with the settings that options give. Throws `Fault` badInput for an option of another connector. */
export function connectorSettings(connector: string, words: ConnectorWords): object {
  const given = Object.entries(settingsIn(words)).filter(([, value]) => value !== undefined)
  for (const [name] of given) {
    const kind = kindOf[name as keyof typeof kindOf]
    if (kind !== connector)
      throw new Fault('badInput', message('cli.option.connector', { option: optionName(name), kind }))
  }
  const { module, moduleSetting, ...others } = Object.fromEntries(given) as ConnectorWords
  return {
    ...{ connector, ...others },
    // An absolute path: the engine may have another working folder.
    ...(module !== undefined && { module: resolve(module) }),
    ...(moduleSetting !== undefined && { settings: Object.fromEntries(moduleSetting.map(nameAndValue)) }),
  }
}

/** The options that would make this connector. */
export function wordsOfConnector(repository: RepositorySettings): { connector: string; [word: string]: unknown } {
  if (repository.connector !== 'module') return repository
  const { settings, ...words } = repository
  const moduleSetting = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return { ...words, ...(moduleSetting.length > 0 && { moduleSetting }) }
}

/** The options that are settings of a connector. */
function settingsIn({ changedSince, olderParts, hidden, module, moduleSetting }: ConnectorWords): ConnectorWords {
  return { changedSince, olderParts, hidden, module, moduleSetting }
}

/** Reads `name=value`. Throws `Fault` badInput. */
export function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at <= 0) throw new Fault('badInput', message('cli.option.moduleSetting', { text }))
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/**
 * Turns the options into the form of a harvest definition. Where no option was given, nothing is added: such a definition equals one made
 * before connectors existed.
 */
export function withConnectors(words: Words): Record<string, unknown> {
  const { connector, output, connection, outputConnection, seeds: typed, ...further } = words
  const settings = settingsIn(further)
  const others = Object.fromEntries(Object.entries(further).filter(([name]) => !Object.hasOwn(kindOf, name)))
  if (connection !== undefined) refuseBoth('connection', { connector, ...settings })
  if (outputConnection !== undefined) refuseBoth('outputConnection', { output })
  const repository = connectorSettings(connector ?? 'web', connection === undefined ? settings : {})
  const seeds = connector === 'folder' ? typed.map(folderAddress) : typed
  const isUsual = (connector ?? 'web') === 'web' && (output ?? 'archive') === 'archive'
  if (isUsual && connection === undefined && outputConnection === undefined) return { ...others, seeds }
  const source = connection === undefined ? { repository } : { repositoryConnection: connection }
  const destination = outputConnection === undefined ? { output: output ?? 'archive' } : { outputConnection }
  return { ...others, seeds, connectors: { ...source, ...destination } }
}

/** Refuses options about what a connection says already. */
function refuseBoth(connection: 'connection' | 'outputConnection', others: object): void {
  const [given] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (given === undefined) return
  const values = { option: optionName(given), connection: optionName(connection) }
  throw new Fault('badInput', message('cli.option.connection', values))
}

/** Makes an absolute address: the engine may have another working folder. */
function folderAddress(path: string): string {
  return /^file:\/\//i.test(path) ? path : pathToFileURL(resolve(path) + '/').href
}
