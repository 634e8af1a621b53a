/** What lies in the folders of the indexes and is no longer wanted: what a kill left half done, and earlier states. */
import { join } from 'node:path'
import { DiskFault, type Disk } from '../../world/world.ts'

function isTemporary(name: string): boolean {
  return /\.part(-wal|-shm|-journal)?$/.test(name)
}

export async function removeTemporary(folder: string, disk: Disk): Promise<void> {
  for (const { name, kind } of await disk.list(folder)) {
    if (kind === 'folder') await removeTemporary(join(folder, name), disk)
    else if (isTemporary(name)) await disk.remove(join(folder, name))
  }
}

/** Earlier states of the same set. One that somebody still reads stays where the system does not let it go (Windows). */
export async function removeOthers(made: { folder: string; set: string; kept: string; disk: Disk }): Promise<void> {
  const { folder, set, kept, disk } = made
  for (const { name } of await disk.list(folder)) {
    if (!name.startsWith(`${set}.`) || name.startsWith(kept) || isTemporary(name)) continue
    try {
      await disk.remove(join(folder, name))
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
  }
}

/** With its log, which would be taken for that of the next with its name. */
export async function removeDatabase(path: string, disk: Disk): Promise<void> {
  for (const each of [path, `${path}-wal`, `${path}-shm`]) if (await disk.stat(each)) await disk.remove(each)
}

/** What was begun and is not wanted. What the disk does not let go (Windows, of what is open) the next start removes. */
export async function removeBegun(paths: readonly string[], disk: Disk): Promise<void> {
  try {
    for (const path of paths) await removeDatabase(path, disk)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
