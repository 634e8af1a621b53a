/** The verbs `loupe templates list|show|import|export|remove`: crawl settings under a name, as TOML. */
import { writeFile } from 'node:fs/promises'
import { Fault } from '../../../contract/calls/faults.ts'
import { textFor } from '../../../contract/words/render.ts'
import { readText } from '../input/textFile.ts'
import { momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

/** Templates that are listed. */
const rowsMax = 1_000

export async function listTemplates(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows } = await services.templates.list({ offset: 0, limit: rowsMax })
    command.output.result(rows, () =>
      table(
        ['name', '>version', 'changed', '>configurations'],
        rows.map(({ name, version, changed, configurations }) => [
          ...[name, version, momentText(changed, textFor('cell.none')), configurations],
        ]),
      ),
    )
    return 0
  })
}

/** Prints a template as TOML, by default its newest version. */
export async function showTemplate(command: Command, name: string, version?: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const details = await services.templates.show({ name, ...(version === undefined ? {} : { version }) })
    command.output.result(details, () => details.toml.trimEnd())
    return 0
  })
}

/** Adds a template from a file, or a new version of the one with this name. */
export async function importTemplate(command: Command, name: string, file: string): Promise<ExitCode> {
  const toml = await readText(file)
  return command.withSession('looks', async ({ services }) => {
    const isKnown = await services.templates.show({ name }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Fault && error.code === 'notFound') return false
        throw error
      },
    )
    const details = await services.templates[isKnown ? 'edit' : 'add']({ name, toml })
    command.output.result(details, () => textFor('cli.templates.stored', { name, version: details.version }))
    return 0
  })
}

export async function exportTemplate(command: Command, name: string, file: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { toml, version } = await services.templates.show({ name })
    await writeFile(file, toml)
    command.output.result({ name, version, file }, () => textFor('cli.templates.written', { name, version, file }))
    return 0
  })
}

export async function removeTemplate(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.templates.remove({ name })
    command.output.result({ removed: name }, () => textFor('cli.templates.removed', { name }))
    return 0
  })
}
