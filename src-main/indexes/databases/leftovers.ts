/** Removes files that are no longer needed: temporary files that a crash left, and earlier states of an index. */
import { join } from 'node:path'
import { DiskFault, type Disk } from '../../world/world.ts'

/** Whether a file with this name is being written. */
export function isTemporary(name: string): boolean {
  return /\.part(-wal|-shm|-journal)?$/.test(name)
}

/** Removes temporary files in a folder and its subfolders. No build may be running. */
export async function removeTemporary(folder: string, disk: Disk): Promise<void> {
  for (const { name, kind } of await disk.list(folder)) {
    if (kind === 'folder') await removeTemporary(join(folder, name), disk)
    else if (isTemporary(name)) await disk.remove(join(folder, name))
  }
}

/** Removes the temporary files of one build, whose names begin with that of what it makes. On Windows, those that are still open stay. */
export async function removeTemporaryOf(made: string, { folder, disk }: { folder: string; disk: Disk }): Promise<void> {
  const names = (await disk.list(folder)).map(({ name }) => name)
  await removeBegun(
    names.filter((name) => name.startsWith(made) && isTemporary(name)).map((name) => join(folder, name)),
    disk,
  )
}

/** Removes earlier states of the same set. On Windows, those that are still open stay. */
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

/** Removes a database with its log, which would otherwise be applied to the next database of that name. */
export async function removeDatabase(path: string, disk: Disk): Promise<void> {
  for (const each of [path, `${path}-wal`, `${path}-shm`]) if (await disk.stat(each)) await disk.remove(each)
}

/** Removes unfinished files that are no longer needed. Those that cannot be removed (on Windows, open files) are removed by the
 *  next start. */
export async function removeBegun(paths: readonly string[], disk: Disk): Promise<void> {
  try {
    for (const path of paths) await removeDatabase(path, disk)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
