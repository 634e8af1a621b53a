/** `loupe init`: the only verb that creates an archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, ExitCode } from '../command.ts'

/** Where there is an archive already it is opened and left as it is, so that a script may say it each time. */
export async function initArchive(command: Command): Promise<ExitCode> {
  const { archiveFolder, output } = command
  const isNew = !existsSync(join(archiveFolder, 'loupe.db'))
  const tell = () => {
    output.result({ archive: archiveFolder, created: isNew }, () =>
      isNew
        ? output.paint('green', `${archiveFolder} is now an archive.`)
        : `${archiveFolder} is an archive already; nothing was changed.`,
    )
    return Promise.resolve(0 as const)
  }
  return command.withSession('looks', tell, 'newArchive')
}
