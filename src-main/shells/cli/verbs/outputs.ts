/** The verbs `loupe outputs list|show|add|edit|remove|check|reingest|retry|document`: where documents of jobs are delivered. */
import { resolve } from 'node:path'
import { Fault } from '../../../contract/calls/faults.ts'
import { outputChange, outputInput, type OutputCheck, type OutputRow } from '../../../contract/services/outputs.ts'
import { outputKinds } from '../../../contract/shapes/choices.ts'
import { webhookSettings } from '../../../contract/shapes/destinations.ts'
import { deliveryStates } from '../../../contract/states/deliveryStates.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { checkedInput } from '../input/checkedInput.ts'
import { readShape } from '../input/jsonFile.ts'
import { kebabCase, optionName } from '../input/optionName.ts'
import { dataTable, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

/** Options of `add` and `edit`. */
export interface OutputOptions {
  description?: string
  url?: string
  index?: string
  folder?: string
  field?: string[]
  idField?: string
  headers?: string
  setting?: string[]
  steps?: string
  requests?: number
}

export async function listOutputs(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.outputs.list({})
    command.output.result(rows, () => (rows.length === 0 ? textFor('cli.outputs.none') : outputTable(rows)))
    return rows.some(({ counts, problem }) => counts.failed > 0 || problem !== null) ? 1 : 0
  })
}

function outputTable(rows: readonly OutputRow[]): string {
  return table(
    ['name', 'connector', '>jobs', '>delivered', '>waiting', '>failed', '>removed', 'problem'],
    rows.map(({ name, settings, jobs, counts, pending, problem }) => [
      ...[name, connectorOf(settings), jobs, counts.delivered, counts.waiting + pending, counts.failed, counts.removed],
      problem ? textOf(problem) : '',
    ]),
  )
}

function connectorOf(settings: OutputRow['settings']): string {
  return settings.connector === 'module' ? settings.name : settings.connector
}

export async function showOutput(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => shown(command, await services.outputs.show({ name })))
}

function shown(command: Command, row: OutputRow): ExitCode {
  command.output.result(row, () => outputText(row))
  return 0
}

function outputText({ settings, steps, ...row }: OutputRow): string {
  const { connector: _, ...rest } = settings
  const written = Object.entries(rest).flatMap(([key, value]) =>
    key === 'headers' || Object.keys(value as object).length === 0 ? [] : [[key, textOfValue(value)]],
  )
  const counted = { ...row.counts, pending: row.pending, jobs: row.jobs }
  return dataTable(
    ['name', row.name],
    [
      ['connector', connectorOf(settings)],
      ...(row.description === '' ? [] : [['description', row.description]]),
      ...written,
      ['steps', steps.join(', ')],
      ['requests', row.requestsMax],
      ...Object.entries(counted).map(([key, value]) => [kebabCase(key), value]),
      ...(row.problem ? [['problem', textOf(row.problem)]] : []),
    ],
  )
}

function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Names of the settings of each connector, as options have them. */
const settingNames: Readonly<Record<string, readonly (keyof OutputOptions)[]>> = {
  solr: ['url', 'field', 'idField', 'headers'],
  openSearch: ['url', 'index', 'field', 'headers'],
  webhook: ['url', 'headers'],
  folder: ['folder'],
  module: ['setting'],
}
const allSettings = ['url', 'index', 'folder', 'field', 'idField', 'headers', 'setting'] as const

/** Returns the settings that options give. Throws `Fault` badInput for an option of another connector. */
async function settingsIn(connector: string, options: OutputOptions): Promise<Record<string, unknown>> {
  const names = settingNames[connector] ?? []
  const foreign = allSettings.find((name) => options[name] !== undefined && !names.includes(name))
  if (foreign !== undefined)
    throw new Fault('badInput', message('cli.option.output', { option: optionName(foreign), connector }))
  const { url, index, folder, field: fields, idField, headers, setting } = options
  return {
    ...defined({ url, index, fields, idField }),
    ...(folder !== undefined && { folder: resolve(folder) }),
    ...(headers !== undefined && {
      headers: await readShape('headers', headers, { shape: webhookSettings.shape.headers, wrap: (value) => value }),
    }),
    ...(setting !== undefined && { settings: Object.fromEntries(setting.map(nameAndValue)) }),
  }
}

function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at <= 0) throw new Fault('badInput', message('cli.option.moduleSetting', { text }))
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

function furtherOf({ description, steps, requests }: OutputOptions): object {
  const named = steps === 'none' ? [] : steps?.split(',').map((step) => step.trim())
  return defined({ description, steps: named, requestsMax: requests })
}

export async function addOutput(
  command: Command,
  name: string,
  { connector: named, ...options }: OutputOptions & { connector: string },
): Promise<ExitCode> {
  const isKind = outputKinds.some((kind) => kind === named && kind !== 'module')
  const connector = isKind ? named : 'module'
  const settings = { connector, ...(!isKind && { name: named }), ...(await settingsIn(connector, options)) }
  const given = { name, settings, ...furtherOf(options) }
  const input = checkedInput(outputInput.safeParse(given), optionAt, given)
  return command.withSession('looks', async ({ services }) => shown(command, await services.outputs.add(input)))
}

export async function editOutput(command: Command, name: string, options: OutputOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const before = await services.outputs.show({ name })
    const settings = { ...before.settings, ...(await settingsIn(before.settings.connector, options)) }
    const given = { settings, ...furtherOf(options) }
    const change = checkedInput(outputChange.safeParse(given), optionAt, given)
    return shown(command, await services.outputs.edit({ name, change }))
  })
}

const optionOf: Readonly<Record<string, string>> = { fields: 'field', settings: 'setting', requestsMax: 'requests' }

function optionAt([field, part]: readonly PropertyKey[]): string {
  const named = String(field === 'settings' && part !== undefined ? part : field)
  return optionName(optionOf[named] ?? named)
}

export async function removeOutput(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.outputs.remove({ name })
    command.output.result({ removed: name }, () => textFor('cli.outputs.removed', { name }))
    return 0
  })
}

/** Checks one output, or all. The exit code is 1 if one cannot be used. */
export async function checkOutputs(command: Command, name: string | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const names = name === undefined ? (await services.outputs.list({})).map((row) => row.name) : [name]
    const checks: ({ name: string } & OutputCheck)[] = []
    for (const each of names) checks.push({ name: each, ...(await services.outputs.check({ name: each })) })
    command.output.result(checks, () =>
      checks.length === 0
        ? textFor('cli.outputs.none')
        : checks
            .map((check) => textFor('cli.connections.checked', { name: check.name, status: check.status }))
            .join('\n'),
    )
    return checks.every(({ isWorking }) => isWorking) ? 0 : 1
  })
}

export async function reingestOutput(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => shown(command, await services.outputs.reingest({ name })))
}

export async function retryOutput(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { retried } = await services.outputs.retry({ name })
    command.output.result({ retried }, () => textFor('cli.outputs.retried', { count: retried }))
    return 0
  })
}

export async function showDocument(command: Command, name: string, url: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const known = await services.outputs.document({ name, url })
    command.output.result(known, () => {
      if (!known) return textFor('cli.outputs.unknown', { name })
      const state = known.state === null ? '' : textOf(deliveryStates.rows[known.state].badge)
      const { job, ...rest } = { ...known, state }
      return dataTable(
        ['job', String(job)],
        Object.entries(rest).map(([key, value]) => [kebabCase(key), String(value ?? '')]),
      )
    })
    return known ? 0 : 1
  })
}

/** Leaves out what was not given. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
