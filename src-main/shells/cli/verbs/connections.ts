/** The verbs `loupe connections list|show|add|edit|remove|check`: connectors under a name, which jobs share. */
import { Fault } from '../../../contract/calls/faults.ts'
import {
  connectionChange,
  connectionInput,
  type ConnectionCheck,
  type ConnectionKind,
  type ConnectionRow,
  type JobOfConnection,
} from '../../../contract/services/connections.ts'
import type { ThrottleRule } from '../../../contract/shapes/throttle.ts'
import { outputNames } from '../../../contract/shapes/choices.ts'
import { statusLabel } from '../../../contract/states/jobStatuses.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { checkedInput } from '../input/checkedInput.ts'
import { kebabCase, optionName } from '../input/optionName.ts'
import { bytesText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { connectorSettings } from './connectors.ts'

export interface ConnectionFilter {
  kind?: ConnectionKind
}

/** Options of `add` and `edit`; `connector` is only one of `add`, `clear` only of `edit`. */
export interface ConnectionOptions {
  connector?: string
  clear?: string[]
  description?: string
  maxConnections?: number
  throttle?: ThrottleRule[]
  changedSince?: string
  olderParts?: true
  hidden?: true
  module?: string
  moduleSetting?: string[]
}

export async function listConnections(command: Command, { kind }: ConnectionFilter): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.connections.list(kind ? { kind } : {})
    command.output.result(rows, () =>
      rows.length === 0
        ? textFor('cli.connections.none')
        : table(
            ['name', 'kind', 'connector', '>maximum', '>throttles', '>jobs', 'description'],
            rows.map((row) => [
              ...[row.name, row.kind, row.settings.connector, row.connectionsMax, throttlesOf(row).length],
              ...[row.jobs, row.description],
            ]),
          ),
    )
    return 0
  })
}

/** Jobs of a connection that are shown. */
const jobsShownMax = 1_000

export async function showConnection(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const row = await services.connections.show({ name })
    const jobs = await services.connections.jobs({ name, limit: jobsShownMax })
    command.output.result({ ...row, users: jobs }, () => connectionText(row, jobs))
    return 0
  })
}

export async function addConnection(
  command: Command,
  name: string,
  {
    connector = 'web',
    description,
    maxConnections: connectionsMax,
    throttle: throttles,
    ...settings
  }: ConnectionOptions,
): Promise<ExitCode> {
  const kind = outputNames.some((output) => output === connector) ? 'output' : 'repository'
  if (kind === 'output' && throttles) throw new Fault('badInput', message('connection.noThrottles', { name }))
  const given = {
    ...{ kind, name, settings: connectorSettings(connector, settings) },
    ...defined({ description, connectionsMax, throttles }),
  }
  const input = checkedInput(connectionInput.safeParse(given), optionAt, given)
  return command.withSession('looks', async ({ services }) => {
    const row = await services.connections.add(input)
    command.output.result(row, () => connectionText(row, []))
    return 0
  })
}

/** Options of connectors that can be cleared, and their settings then. */
const clearedSettings = {
  changedSince: { changedSince: undefined },
  olderParts: { olderParts: false },
  hidden: { hidden: false },
  moduleSetting: { settings: {} },
} as const
/** Names of the options that can be cleared. */
const clearable = ['throttle', 'description', ...Object.keys(clearedSettings).map(kebabCase)]

export async function editConnection(
  command: Command,
  name: string,
  {
    clear = [],
    description,
    maxConnections: connectionsMax,
    throttle: throttles,
    ...settings
  }: Omit<ConnectionOptions, 'connector'>,
): Promise<ExitCode> {
  const unknown = clear.find((option) => !clearable.includes(option))
  if (unknown !== undefined)
    throw new Fault('badInput', message('cli.option.clear', { name: unknown, known: clearable.join(', ') }))
  const has = (option: string) => clear.includes(kebabCase(option))
  return command.withSession('looks', async ({ services }) => {
    const before = await services.connections.show({ name })
    const { connector, ...kept } = before.settings
    const emptied = Object.entries(clearedSettings).flatMap(([option, values]) =>
      has(option) ? Object.entries(values).filter(([name]) => name in kept) : [],
    )
    const after = { ...kept, ...Object.fromEntries(emptied), ...connectorSettings(connector, settings) }
    const given = {
      settings: defined(after),
      ...defined({ description, connectionsMax, throttles }),
      ...(has('throttle') && { throttles: [] }),
      ...(has('description') && { description: '' }),
    }
    const change = checkedInput(connectionChange.safeParse(given), optionAt, given)
    const row = await services.connections.edit({ name, change })
    command.output.result(row, () => connectionText(row, []))
    return 0
  })
}

export async function removeConnection(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.connections.remove({ name })
    command.output.result({ removed: name }, () => textFor('cli.connections.removed', { name }))
    return 0
  })
}

/** Checks one connection, or all. The exit code is 1 if one cannot be used. */
export async function checkConnections(command: Command, name: string | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const names = name === undefined ? (await services.connections.list({})).map((row) => row.name) : [name]
    const checks: ({ name: string } & ConnectionCheck)[] = []
    for (const each of names) checks.push({ name: each, ...(await services.connections.check({ name: each })) })
    command.output.result(checks, () =>
      checks.length === 0
        ? textFor('cli.connections.none')
        : checks
            .map((check) => textFor('cli.connections.checked', { name: check.name, status: check.status }))
            .join('\n'),
    )
    return checks.every(({ isWorking }) => isWorking) ? 0 : 1
  })
}

/** Leaves out what was not given. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function optionAt([field, part]: readonly PropertyKey[]): string {
  if (field === 'settings') return optionName(String(part))
  if (field === 'throttles') return optionName('throttle')
  return field === 'connectionsMax' ? optionName('maxConnections') : String(field)
}

function throttlesOf(row: ConnectionRow): ThrottleRule[] {
  return row.kind === 'repository' ? row.throttles : []
}

function connectionText(row: ConnectionRow, jobs: readonly JobOfConnection[]): string {
  const { name, title, kind, connectionsMax: most, description, settings } = row
  const { connector: _, ...ofConnector } = settings
  const words = Object.entries(ofConnector).map(([key, value]) => `${kebabCase(key)} ${String(value)}`)
  return [
    textFor('cli.connections.one', { name, title, kind, most }),
    ...(description === '' ? [] : [description]),
    ...(words.length === 0 ? [] : [textFor('cli.connections.settings', { settings: words.join(', ') })]),
    ...throttlesOf(row).map(throttleText),
    ...jobs.map(({ job, name: harvest, status }) =>
      textFor('cli.connections.job', { job, name: harvest, status: statusLabel(status) }),
    ),
    ...(jobs.length > 0 && row.jobs > jobs.length
      ? [textFor('cli.connections.jobs.more', { count: row.jobs - jobs.length })]
      : []),
  ].join('\n')
}

function throttleText({ match, description, fetchesPerMinute, connections, bytesPerSecond }: ThrottleRule): string {
  const limits = [
    ...(fetchesPerMinute === undefined ? [] : [message('cli.connections.limit.fetches', { count: fetchesPerMinute })]),
    ...(connections === undefined ? [] : [message('cli.connections.limit.connections', { count: connections })]),
    ...(bytesPerSecond === undefined
      ? []
      : [message('cli.connections.limit.bytes', { amount: bytesText(bytesPerSecond) })]),
  ]
  const values = { match, limits: limits.map(textOf).join(', ') }
  return description === undefined
    ? textFor('cli.connections.throttle', values)
    : textFor('cli.connections.throttle.described', { ...values, description })
}
