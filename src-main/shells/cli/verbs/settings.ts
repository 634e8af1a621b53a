/** `loupe settings list|get|set|check`. */
import type { Setting } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Command, ExitCode } from '../command.ts'
import { table } from '../output.ts'

export async function listSettings(command: Command): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const settings = await services.settings.list({})
    command.output.result(settings, () =>
      table(
        ['setting', 'value', 'unit', 'source', 'meaning'],
        settings.map((row) => [row.path, textOf(row.value), row.unit ?? '', row.source, row.meaning]),
      ),
    )
    return 0
  })
}

export async function getSetting(command: Command, path: string): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const found = (await services.settings.list({})).find((row) => row.path === path)
    if (!found) throw new Fault('notFound', `There is no setting "${path}"; "loupe settings list" names all of them.`)
    command.output.result(found, () => textOf(found.value))
    return 0
  })
}

export async function setSetting(command: Command, path: string, text: string): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const settings = await services.settings.list({})
    const kind = settings.find((row) => row.path === path)?.kind ?? 'text'
    const changed = await services.settings.set({ path, value: valueOf(text, kind) })
    command.output.result(changed, () => `${changed.path} = ${textOf(changed.value)}`)
    if (changed.atStart) command.output.note('It takes effect at the next start.')
    return 0
  })
}

/** Opening the archive has read and checked every setting; what is wrong was said then. */
export async function checkSettings(command: Command): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const settings = await services.settings.list({})
    const own = settings.filter((row) => row.source !== 'default').length
    command.output.result({ valid: true, settings: settings.length, changed: own }, () => `All settings are valid; ${own} of ${settings.length} differ from their default.`)
    return 0
  })
}

function valueOf(text: string, kind: Setting['kind']): unknown {
  if (kind === 'number') return Number(text)
  if (kind !== 'map' && kind !== 'list') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Fault('badInput', `A ${kind} is written as JSON, for example {"ONE": "replicas/ONE"}.`, { cause })
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
