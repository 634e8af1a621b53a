/** `loupe settings list|get|set|check`. */
import { nearest } from '../../../app/nearest.ts'
import type { Setting } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Command, ExitCode } from '../command.ts'
import { countText } from '../output.ts'

export async function listSettings(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const settings = await services.settings.list({})
    command.output.result(settings, () => settings.map(settingText).join('\n'))
    return 0
  })
}

function settingText({ path, value, unit, source, meaning, default: standard }: Setting): string {
  const from = source === 'default' ? 'default' : `${source}; default ${textOf(standard)}`
  return `${path} = ${textOf(value)}${unit === undefined ? '' : ` ${unit}`}  (${from})\n    ${meaning}`
}

export async function getSetting(command: Command, path: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const found = settingAt(await services.settings.list({}), path)
    command.output.result([found], () => textOf(found.value))
    return 0
  })
}

export async function setSetting(command: Command, { path, text }: { path: string; text: string }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const found = settingAt(await services.settings.list({}), path)
    const changed = await services.settings.set({ path, value: valueOf(text, found) })
    command.output.result([changed], () => `${changed.path} = ${textOf(changed.value)}`)
    if (changed.atStart && !own)
      command.output.note('The Loupe that has the archive open takes it up at its next start.')
    return 0
  })
}

/** Opening the archive has read and checked every setting; what is wrong was said then. */
export async function checkSettings(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const settings = await services.settings.list({})
    const own = settings.filter((row) => row.source !== 'default').length
    command.output.result(
      settings,
      () =>
        `All of it can be read: ${own} of ${countText(settings.length, 'setting')} set in loupe.toml, the others are the defaults.`,
    )
    return 0
  })
}

function settingAt(settings: Setting[], path: string): Setting {
  const found = settings.find((row) => row.path === path)
  if (found) return found
  const near = nearest(path, settings.map((row) => row.path)) // prettier-ignore
  const hint = near === undefined ? '"loupe settings list" names all of them' : `the nearest known one is "${near}"`
  throw new Fault('badInput', `There is no setting "${path}": ${hint}.`)
}

function valueOf(text: string, { kind, path }: Setting): unknown {
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text
  if (kind !== 'map' && kind !== 'list') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    const example = kind === 'map' ? '{"ONE": "replicas/ONE"}' : '["one", "two"]'
    throw new Fault('badInput', `The setting ${path} is a ${kind}, to be written as JSON, as in '${example}'.`, {
      cause,
    })
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
