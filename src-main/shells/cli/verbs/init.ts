/** `loupe init`: the only verb that creates an archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, ExitCode } from '../session/command.ts'
import { countText } from '../output/output.ts'
import type { Session } from '../session/session.ts'

/** Where there is an archive already it is opened and left as it is, so that a script may say it each time. Where its database was
 *  lost the new one is empty, and what the replicas hold is told. */
export async function initArchive(command: Command): Promise<ExitCode> {
  const { archiveFolder, output } = command
  const isNew = !existsSync(join(archiveFolder, 'loupe.db'))
  const tell = async ({ services }: Session): Promise<ExitCode> => {
    const unknown = new Set((await services.archive.surplus({})).map(({ name }) => name)).size
    output.result({ archive: archiveFolder, created: isNew }, () =>
      isNew
        ? output.paint('green', `${archiveFolder} is now an archive.`)
        : `${archiveFolder} is an archive already; nothing was changed.`,
    )
    if (!isNew || unknown === 0) return 0
    const held = `${countText(unknown, 'file')} that the new database does not know`
    output.note(`The archive holds ${held}: run "loupe recover" to bring what belongs to it into the catalogue.`)
    return 1
  }
  return command.withSession('looks', tell, 'newArchive')
}
