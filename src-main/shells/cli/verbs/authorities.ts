/** The verbs `loupe authorities …`: connections, groups, domains and connectors of the authority service, and what a user may see. */
import { resolve } from 'node:path'
import { Fault } from '../../../contract/calls/faults.ts'
import {
  authorityConnectionChange,
  authorityConnectionInput,
  type AuthorityAnswer,
  type AuthorityCheck,
  type AuthorityConnectionRow,
  type AuthorityConnectorRow,
  type AuthorityKind,
} from '../../../contract/services/authorities.ts'
import { connectorStates } from '../../../contract/states/connectorStates.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { checkedInput } from '../input/checkedInput.ts'
import { optionName } from '../input/optionName.ts'
import { table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { nameAndValue } from './connectors.ts'

export interface KindOption {
  kind: AuthorityKind
}

/** Options of `add` and `edit`. */
export interface AuthorityOptions extends KindOption {
  connector?: string
  setting?: string[]
  group?: string
  domain?: string
  /** false: `--no-mapping`. */
  mapping?: string | false
  description?: string
  maxConnections?: number
  /** In seconds. */
  timeLimit?: number
  cacheSeconds?: number
  cachedUsers?: number
}

export async function listAuthorities(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.authorities.list({})
    command.output.result(rows, () =>
      rows.length === 0
        ? textFor('cli.authorities.none')
        : table(
            ['name', 'kind', 'connector', 'group', 'domain', 'mapping', 'description'],
            rows.map((row) => [
              ...[row.name, row.kind, row.connector],
              ...(row.kind === 'authority' ? [row.group, row.domain] : ['', '']),
              ...[row.mapping ?? '', row.description],
            ]),
          ),
    )
    return 0
  })
}

export async function addAuthority(command: Command, name: string, options: AuthorityOptions): Promise<ExitCode> {
  const { mapping, ...given } = partsOf(options)
  const input = { kind: options.kind, name, ...given, ...(typeof mapping === 'string' && { mapping }) }
  const checked = checkedInput(authorityConnectionInput.safeParse(input), optionAt, input)
  return command.withSession('looks', async ({ services }) => {
    const row = await services.authorities.add(checked)
    command.output.result(row, () => connectionText(row))
    return 0
  })
}

export async function editAuthority(command: Command, name: string, options: AuthorityOptions): Promise<ExitCode> {
  const { kind } = options
  const { mapping, settings, ...given } = partsOf(options)
  return command.withSession('looks', async ({ services }) => {
    const before = await services.authorities.show({ kind, name })
    const change = {
      ...given,
      ...(mapping !== undefined && { mapping: mapping === false ? null : mapping }),
      // Another connector has other settings; the same one keeps those that are not given.
      ...(settings !== undefined && {
        settings: { ...(options.connector === undefined && before.settings), ...settings },
      }),
    }
    const checked = checkedInput(authorityConnectionChange.safeParse(change), optionAt, change)
    const row = await services.authorities.edit({ kind, name, change: checked })
    command.output.result(row, () => connectionText(row))
    return 0
  })
}

export async function removeAuthority(
  command: Command,
  named: { kind: AuthorityKind; name: string },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.authorities.remove(named)
    command.output.result({ removed: named.name }, () => textFor('cli.connections.removed', { name: named.name }))
    return 0
  })
}

/** Checks one connection, or all, or all of a kind. The exit code is 1 if one cannot be used. */
export async function checkAuthorities(
  command: Command,
  { name, kind }: { name: string | undefined; kind: AuthorityKind | undefined },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const all =
      name === undefined ? await services.authorities.list({}) : [{ kind: kind ?? ('authority' as const), name }]
    const checks: ({ kind: AuthorityKind; name: string } & AuthorityCheck)[] = []
    for (const each of all) {
      if (kind !== undefined && each.kind !== kind) continue
      const named = { kind: each.kind, name: each.name }
      checks.push({ ...named, ...(await services.authorities.check(named)) })
    }
    command.output.result(checks, () =>
      checks.length === 0
        ? textFor('cli.authorities.none')
        : checks
            .map((check) => textFor('cli.connections.checked', { name: check.name, status: check.status }))
            .join('\n'),
    )
    return checks.every(({ isWorking }) => isWorking) ? 0 : 1
  })
}

/** Shows the tokens of a user and what each authority answered. The exit code is 1 if one could not be reached. */
export async function showUser(
  command: Command,
  user: string,
  { domain, and = [] }: { domain: string; and?: string[] },
): Promise<ExitCode> {
  const users = [{ user, domain }, ...and.map(userAndDomain)]
  return command.withSession('looks', async ({ services }) => {
    const access = await services.authorities.ask({ users })
    command.output.result(access, () =>
      [
        ...(access.answers.length === 0 ? [textFor('cli.authorities.nobody')] : [answersText(access.answers)]),
        access.tokens.length === 0
          ? textFor('cli.authorities.noTokens')
          : textFor('cli.authorities.tokens', { tokens: access.tokens.join('\n') }),
      ].join('\n\n'),
    )
    for (const { authority, problem } of access.answers)
      if (problem) command.output.note(textFor('cli.connections.checked', { name: authority, status: problem }))
    return access.answers.some(({ status }) => status === 'UNREACHABLE') ? 1 : 0
  })
}

function answersText(answers: readonly AuthorityAnswer[]): string {
  return table(
    ['authority', 'answer', 'user', 'domain', '>tokens', '>milliseconds'],
    answers.map(({ authority, status, user, domain, tokens, milliseconds }) => [
      ...[authority, status, user ?? '', domain, tokens.length, milliseconds],
    ]),
  )
}

/** The list of groups, or that of domains. */
export type DescribedKind = 'groups' | 'domains'

export async function listDescribed(command: Command, kind: DescribedKind): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.authorities[kind]({})
    command.output.result(rows, () =>
      table(
        ['name', '>authorities', 'description'],
        rows.map(({ name, authorities, description }) => [
          name === '' ? textFor('cli.authorities.defaultDomain') : name,
          ...[authorities, description],
        ]),
      ),
    )
    return 0
  })
}

export async function describe(
  command: Command,
  { kind, verb, name, description }: { kind: DescribedKind; verb: 'add' | 'edit'; name: string; description: string },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { authorities } }) => {
    const calls = {
      groups: { add: authorities.addGroup, edit: authorities.editGroup },
      domains: { add: authorities.addDomain, edit: authorities.editDomain },
    }
    const row = await calls[kind][verb]({ name, description })
    command.output.result(row, () => textFor('cli.authorities.described', { name: row.name }))
    return 0
  })
}

export async function removeDescribed(command: Command, kind: DescribedKind, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { authorities } }) => {
    await (kind === 'groups' ? authorities.removeGroup({ name }) : authorities.removeDomain({ name }))
    command.output.result({ removed: name }, () => textFor('cli.authorities.describedRemoved', { name }))
    return 0
  })
}

export async function listAuthorityConnectors(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.authorities.connectors({})
    command.output.result(rows, () =>
      table(
        ['name', 'kind', 'state', '>connections', 'module', 'description'],
        rows.map((row) => [
          ...[row.name, row.kind, stateText(row), row.connections, row.module ?? '', textOf(row.description)],
        ]),
      ),
    )
    return 0
  })
}

/** Options of `connectors install`. */
export interface ConnectorOptions extends KindOption {
  module?: string
  description?: string
}

export async function installConnector(
  command: Command,
  name: string,
  { module, ...options }: ConnectorOptions,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    // An absolute path: the engine may have another working folder.
    const given = { name, ...options, ...(module !== undefined && { module: resolve(module) }) }
    const row = await services.authorities.install(given)
    command.output.result(row, () => textFor('cli.connector.state', { connector: row.name, state: stateText(row) }))
    return 0
  })
}

export async function deinstallConnector(
  command: Command,
  named: { kind: AuthorityKind; name: string },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const row = await services.authorities.deinstall(named)
    command.output.result(row, () => textFor('cli.connector.state', { connector: row.name, state: stateText(row) }))
    return 0
  })
}

function stateText({ state }: AuthorityConnectorRow): string {
  return textOf(connectorStates.rows[state].badge)
}

/** Returns the parts of a connection that options give. */
function partsOf({
  kind: _,
  setting,
  maxConnections: connectionsMax,
  timeLimit: answerSecondsMax,
  cachedUsers: cachedUsersMax,
  mapping,
  ...others
}: AuthorityOptions) {
  const limits = { connectionsMax, answerSecondsMax, cachedUsersMax }
  const given = Object.entries({ ...others, ...limits }).filter(([, value]) => value !== undefined)
  const settings = setting && Object.fromEntries(setting.map(nameAndValue))
  return { ...Object.fromEntries(given), ...(settings && { settings }), mapping }
}

const optionOf: Readonly<Record<string, string>> = {
  connectionsMax: 'maxConnections',
  answerSecondsMax: 'timeLimit',
  cachedUsersMax: 'cachedUsers',
  settings: 'setting',
}

function optionAt([field]: readonly PropertyKey[]): string {
  return field === 'name' ? 'name' : optionName(optionOf[String(field)] ?? String(field))
}

/** Reads `USER@DOMAIN`; a name may contain an @ too. Throws `Fault` badInput. */
function userAndDomain(text: string): { user: string; domain: string } {
  const at = text.lastIndexOf('@')
  if (at <= 0) throw new Fault('badInput', message('cli.authorities.and', { text }))
  return { user: text.slice(0, at), domain: text.slice(at + 1) }
}

function connectionText(row: AuthorityConnectionRow): string {
  const { name, kind, connector, connectionsMax: most, description, settings, mapping } = row
  const words = Object.entries(settings).map(([key, value]) => `${key} ${value}`)
  return [
    textFor('cli.connections.one', { name, title: connector, kind, most }),
    ...(description === '' ? [] : [description]),
    ...(row.kind === 'authority' ? [textFor('cli.authorities.group', { group: row.group })] : []),
    ...(row.kind === 'authority' && row.domain !== ''
      ? [textFor('cli.authorities.domain', { domain: row.domain })]
      : []),
    ...(mapping === undefined ? [] : [textFor('cli.authorities.mapping', { mapping })]),
    ...(words.length === 0 ? [] : [textFor('cli.connections.settings', { settings: words.join(', ') })]),
  ].join('\n')
}
