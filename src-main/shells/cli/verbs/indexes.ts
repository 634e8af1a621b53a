/** The verbs `loupe indexes list|build|drop`. */
import type { buildableIndexes, indexKinds } from '../../../contract/shapes/choices.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import type { SelectionAsked } from '../input/selectionOptions.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'

export interface IndexFilter {
  kind?: (typeof indexKinds)[number]
  jobs?: number[]
}

export async function listIndexes(command: Command, { kind }: IndexFilter): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.indexes.list(kind ? { kind } : {})
    command.output.result(rows, () =>
      rows.length === 0
        ? textFor('cli.indexes.none')
        : table(
            ['kind', 'covers', '>files', '>missing', '>size', 'modified'],
            rows.map(({ kind: each, covers, files, filesMissing, bytes, modified }) => [
              ...[each, covers === null ? textFor('cli.indexes.damaged') : textOf(covers), files, filesMissing],
              ...[bytesText(bytes), momentText(modified, '')],
            ]),
          ),
    )
    return 0
  })
}

export async function buildIndex(
  command: Command,
  asked: SelectionAsked & { kind?: (typeof buildableIndexes)[number] },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const built = await unlessStopped(command.signal, services.indexes.build(asked))
    const { files, filesMissing, jobsMissing } = built
    command.output.result(built, () => textFor('cli.indexes.built', { files, missing: filesMissing.length }))
    if (jobsMissing.length > 0)
      command.output.note(textFor('cli.indexes.jobsMissing', { jobs: jobsMissing.join(', ') }))
    for (const { name, reason } of filesMissing)
      command.output.note(textFor('cli.dedup.fileMissing', { name, reason: textOf(reason) }))
    return filesMissing.length + jobsMissing.length > 0 ? 1 : 0
  })
}

export async function dropIndexes(command: Command, filter: IndexFilter): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const result = await services.indexes.drop(filter)
    const { dropped, bytes, inUse } = result
    command.output.result(result, () =>
      textFor('cli.indexes.dropped', { count: dropped, bytes: bytesText(bytes), inUse }),
    )
    return 0
  })
}
