/** Whether a folder can be the folder of an archive, said before anything is opened in it. */
import { Fault, type FaultCode } from '../contract/faults.ts'
import { ownFolderMode } from '../world/permissions.ts'
import { DiskFault, type DiskFaultCode, type World } from '../world/world.ts'

/** Makes it when it is new. Throws `Fault`. */
export async function makeArchiveFolder(world: World, folder: string): Promise<void> {
  try {
    await world.disk.makeFolder(folder, ownFolderMode)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    const { code, text } = whyNot[error.code]
    throw new Fault(code, `${folder} cannot be the folder of an archive: ${text}.`, { cause: error })
  }
}

const whyNot: Record<DiskFaultCode, { code: FaultCode; text: string }> = {
  absent: { code: 'notAllowed', text: 'a part of this path is a file; name another folder' },
  exists: { code: 'notAllowed', text: 'it is a file; name another folder' },
  denied: { code: 'notAllowed', text: 'this account may not write there; name another folder' },
  full: { code: 'noSpace', text: 'no space is left on its disk; make room, or name another folder' },
  tooLarge: { code: 'notAllowed', text: 'its path is too long; name another folder' },
  failed: { code: 'notAllowed', text: 'the disk refuses it; name another folder' },
}

/** To SQLite a file without a byte is a new database, so an emptied one would pass for an archive without jobs. */
export async function refuseEmptied(
  world: World,
  databasePath: string,
  replicas: readonly { folder: string }[],
): Promise<void> {
  const found = await world.disk.stat(databasePath)
  if (found?.bytes !== 0) return
  for (const { folder } of replicas) {
    if (!(await world.disk.stat(folder))) continue
    const entries = await world.disk.list(folder)
    if (!entries.some(({ name }) => !name.startsWith('.'))) continue
    throw new Fault(
      'damaged',
      `The database ${databasePath} is empty, although ${folder} holds files: put a backup in its place, which "loupe backup list" names and "loupe backup restore" restores; the WARC files in the replicas are untouched, and without a backup "loupe recover" rebuilds the database from them.`,
    )
  }
}
