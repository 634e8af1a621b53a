/** The verbs `loupe settings list|get|set|check`. */
import { resolve } from 'node:path'
import { nearest } from '../../../contract/text/nearest.ts'
import type { MendableSettings } from '../../../app/settings/settingsMending.ts'
import { amountOf } from '../../../contract/text/amounts.ts'
import type { ReplicaSummary } from '../../../contract/services/replicas.ts'
import type { Loupe } from '../../../contract/contract.ts'
import type { Setting, SettingLevel } from '../../../contract/services/settings.ts'
import { userSettingsFile } from '../../places/userSettings.ts'
import { Fault, userMessageOf } from '../../../contract/calls/faults.ts'
import type { Command, ExitCode } from '../session/command.ts'
import type { Session } from '../session/session.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

/** What the verbs work with. */
interface Opened {
  settings: Pick<Loupe['settings'], 'list' | 'set'>
  /** Undefined when nothing is wrong with loupe.toml. */
  mendable: MendableSettings | undefined
  /** Undefined when loupe.toml keeps the archive from being opened. */
  session: Session | undefined
}

/**
 * Gives access to the settings through the archive, or to loupe.toml alone when it keeps the archive from being opened: these verbs are
 * needed to fix it.
 */
async function withSettings(command: Command, act: (opened: Opened) => Promise<ExitCode>): Promise<ExitCode> {
  const { openMendable } = await import('../../../app/settings/settingsMending.ts')
  const mendable = await openMendable(command.archiveFolder, userSettingsFile())
  if (!mendable) {
    return command.withSession('looks', (session) =>
      act({ settings: session.services.settings, mendable: undefined, session }),
    )
  }
  try {
    const settings: Opened['settings'] = {
      list: async () => mendable.list(),
      set: ({ path, value, level }) => mendable.set(path, value, level),
    }
    return await act({ settings, mendable, session: undefined })
  } finally {
    mendable.close()
  }
}

/** Prints problems in addition to the result: until they are fixed, no other verb opens the archive. */
function noteProblems({ output }: Command, problems: readonly Fault[]): void {
  for (const { message } of problems) output.note(message)
  if (problems.length > 0) output.note(textFor('cli.settings.invalid'))
}

export async function listSettings(command: Command): Promise<ExitCode> {
  return withSettings(command, async ({ settings: service, mendable }) => {
    const settings = await service.list({})
    command.output.result(settings, () => settings.map(settingText).join('\n'))
    noteProblems(command, mendable?.problems ?? [])
    return mendable ? 1 : 0
  })
}

function settingText({ path, value, unit, source, meaning, default: standard, example }: Setting): string {
  const from =
    source === 'default'
      ? message('cli.setting.fromDefault')
      : message(`cli.setting.from.${source}`, { value: valueText(standard) })
  const plain = valueText(value)
  const withUnit = unit === undefined ? plain : message('cli.setting.withUnit', { value: plain, unit })
  const lines = [meaning, textFor('cli.setting.example', { value: valueText(example) })]
  return [textFor('cli.setting.line', { path, value: withUnit, from }), ...lines].join('\n    ')
}

export async function getSetting(command: Command, path: string): Promise<ExitCode> {
  return withSettings(command, async ({ settings, mendable }) => {
    const found = settingAt(await settings.list({}), path)
    command.output.result([found], () => valueText(found.value))
    noteProblems(command, mendable?.problems ?? [])
    return mendable ? 1 : 0
  })
}

interface SettingChange {
  path: string
  text: string
  level: SettingLevel
}

export async function setSetting(command: Command, { path, text, level }: SettingChange): Promise<ExitCode> {
  return withSettings(command, async ({ settings, mendable, session }) => {
    const found = settingAt(await settings.list({}), path)
    const held = session && replicaSettings.includes(path) ? await session.services.archive.replicas({}) : []
    const changed = await settings.set({ path, value: valueOf(text, found), level })
    command.output.result([changed], () =>
      textFor('cli.setting.value', { path: changed.path, value: valueText(changed.value) }),
    )
    if (changed.atStart && session && !session.own) command.output.note(textFor('cli.settings.later'))
    noteRemovedReplicas(command, held, await settings.list({}))
    noteProblems(command, (await mendable?.problemsNow()) ?? [])
    return 0
  })
}

/** The settings that map names of replicas to their folders. */
const replicaSettings = ['replicas', 'checksumReplicas']

/**
 * Warns about replicas that are no longer in the settings. Nothing is lost, but if the change was a mistake, everything has one copy less
 * from now on.
 */
function noteRemovedReplicas({ output }: Command, held: readonly ReplicaSummary[], settings: readonly Setting[]): void {
  const maps = settings.filter(({ path }) => replicaSettings.includes(path))
  const named = maps.flatMap(({ value }) => Object.keys(value as Record<string, string>))
  for (const { replica, folder, files } of held) {
    if (files === 0 || named.includes(replica)) continue
    output.note(textFor('cli.settings.leftOut', { replica, files, folder }))
  }
}

/** Checks all settings. Opening the archive reads and checks every setting; an invalid one keeps it from being opened. */
export async function checkSettings(command: Command): Promise<ExitCode> {
  return withSettings(command, async ({ settings: service, mendable }) => {
    if (mendable) {
      const [first, ...others] = mendable.problems
      for (const { message } of others) command.output.note(message)
      if (first) throw first
    }
    const settings = await service.list({})
    const own = settings.filter((row) => row.source !== 'default').length
    command.output.result(settings, () => textFor('cli.settings.checked', { own, all: settings.length }))
    return 0
  })
}

/** Checks any file of settings, without an archive: prints all problems. */
export async function checkSettingsFile(command: Command, file: string): Promise<ExitCode> {
  const { problemsOf } = await import('../../../app/settings/settingsMending.ts')
  const problems = (await problemsOf(resolve(file))).map(userMessageOf)
  command.output.result(problems, () =>
    problems.length === 0 ? textFor('cli.settings.fileChecked', { file }) : problems.map(textOf).join('\n'),
  )
  return problems.length === 0 ? 0 : 1
}

function settingAt(settings: Setting[], path: string): Setting {
  const found = settings.find((row) => row.path === path)
  if (found) return found
  const paths = settings.map((row) => row.path)
  const near = nearest(path, paths)
  throw new Fault(
    'badInput',
    near === undefined ? message('setting.unknown.list', { path }) : message('setting.unknown.near', { path, near }),
  )
}

/** Parses a value. A number that cannot be read is passed on as text: the check of the settings reports what is wrong with it. */
function valueOf(text: string, { kind, path, unit }: Setting): unknown {
  if (kind === 'number')
    return amountOf(text.trim(), unit) ?? (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text)
  if (kind !== 'map' && kind !== 'list') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    const example = kind === 'map' ? '{"ONE": "replicas/ONE"}' : '["one", "two"]'
    throw new Fault('badInput', message('setting.json', { path, kind, example }), { cause })
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
