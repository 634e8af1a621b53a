/** The verb `loupe init`, the only one that creates an archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, ExitCode } from '../session/command.ts'
import type { Session } from '../session/session.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/**
 * Creates an archive. An existing one is opened and left unchanged, so that a script may run this each time. Where its database was lost
 * the new one is empty, and what the replicas hold is reported.
 */
export async function initArchive(command: Command): Promise<ExitCode> {
  const { archiveFolder, output } = command
  const isNew = !existsSync(join(archiveFolder, 'loupe.db'))
  const report = async ({ services }: Session): Promise<ExitCode> => {
    const unknown = new Set((await services.archive.surplus({})).map(({ name }) => name)).size
    output.result({ archive: archiveFolder, created: isNew }, () =>
      isNew
        ? output.paint('green', textOf(message('cli.archive.created', { archive: archiveFolder })))
        : textOf(message('cli.archive.exists', { archive: archiveFolder })),
    )
    if (!isNew || unknown === 0) return 0
    output.note(textOf(message('cli.archive.unknown', { files: unknown })))
    return 1
  }
  return command.withSession('looks', report, 'newArchive')
}
