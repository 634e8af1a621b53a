/** Limits the disk space of derived databases. Any of them can be rebuilt, so the least recently used are removed first, named
 *  ones last, and those in use never. */
import { join } from 'node:path'
import { DiskFault, type Disk } from '../../world/world.ts'

/** A database that may be removed. */
export interface KeptDatabase {
  name: string
  bytes: number
  usedAtMs: number
  isInUse: boolean
  /** It belongs to a stored view with a name. */
  isNamed: boolean
}

/** Selects databases to remove so that the others take at most `bytesMax`. Pure. */
export function toEvict(databases: readonly KeptDatabase[], bytesMax: number): KeptDatabase[] {
  let bytes = databases.reduce((sum, each) => sum + each.bytes, 0)
  return databases
    .filter(({ isInUse }) => !isInUse)
    .toSorted((a, b) => Number(a.isNamed) - Number(b.isNamed) || a.usedAtMs - b.usedAtMs)
    .filter((each) => {
      const goes = bytes > bytesMax
      if (goes) bytes -= each.bytes
      return goes
    })
}

/** What is evicted: databases of one folder. */
export interface Eviction {
  folder: string
  disk: Disk
  /** End of the names of complete indexes. */
  suffix: string
  /** Time of last use in this run. For others the time of their creation counts. */
  used: ReadonlyMap<string, number>
  bytesMax: number
  isInUse: (name: string) => boolean
  isNamed: (name: string) => boolean
}

/** Removes databases. Must not run while an index is being built, which may start from any of them. Files that cannot be
 *  removed (on Windows, those open in another program) are tried again the next time. */
export async function evict({ folder, disk, suffix, used, bytesMax, isInUse, isNamed }: Eviction): Promise<void> {
  try {
    const entries = await disk.list(folder)
    const databases = entries.flatMap(({ name, bytes, modifiedAtMs }) =>
      name.endsWith(suffix)
        ? { name, bytes, usedAtMs: used.get(name) ?? modifiedAtMs, isInUse: isInUse(name), isNamed: isNamed(name) }
        : [],
    )
    for (const { name } of toEvict(databases, bytesMax))
      for (const entry of entries) if (entry.name.startsWith(name)) await disk.remove(join(folder, entry.name))
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
