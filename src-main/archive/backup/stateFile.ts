/** The results of the last backup attempts, in a small file of the archive. It is not in the database, because it must be readable
 *  when the database is not, and because a database that changed with every backup would never equal its last one. If the file is
 *  lost, the next backup writes it again. */
import { join } from 'node:path'
import { backupState, type BackupState } from '../../contract/services/backups.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import { ownFileMode } from '../../world/permissions.ts'
import { DiskFault, type Disk } from '../../world/world.ts'
import { stateBytesMax } from './limits.ts'

function pathIn(archiveFolder: string): string {
  return join(archiveFolder, 'loupe.backup')
}

/** Reads the state; undefined when there is none or it cannot be read. */
export async function readState(disk: Disk, archiveFolder: string): Promise<BackupState | undefined> {
  try {
    const bytes = await disk.read(pathIn(archiveFolder), stateBytesMax)
    return backupState.safeParse(jsonOf(Buffer.from(bytes).toString('utf8'))).data
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return undefined
  }
}

export async function writeState(disk: Disk, archiveFolder: string, state: BackupState): Promise<void> {
  await disk.write(pathIn(archiveFolder), Buffer.from(`${JSON.stringify(state)}\n`), ownFileMode)
}
