/** How many databases of captures are kept. Each is made again from the archive when it is wanted, so what has not been used for
 *  longest goes first, of sets that have a name last of all, and what somebody uses stays. */
import { join } from 'node:path'
import { DiskFault, type Disk } from '../../world/world.ts'

export interface KeptDatabase {
  name: string
  bytes: number
  usedAtMs: number
  isInUse: boolean
  /** A person keeps the choice that it is of. */
  isNamed: boolean
}

/** Which go, so that the others take no more than `bytesMax`. Pure. */
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

export interface Eviction {
  folder: string
  disk: Disk
  /** When each was last used in this run; of the others it is when they were made. */
  used: ReadonlyMap<string, number>
  bytesMax: number
  isInUse: (name: string) => boolean
  isNamed: (name: string) => boolean
}

/** Nothing may be made meanwhile: what is made begins with one of those that are there. What the disk does not let go (on Windows
 *  a file that another program reads) is tried again the next time. */
export async function evict({ folder, disk, used, bytesMax, isInUse, isNamed }: Eviction): Promise<void> {
  try {
    const entries = await disk.list(folder)
    const databases = entries.flatMap(({ name, bytes, modifiedAtMs }) =>
      name.endsWith('.db')
        ? { name, bytes, usedAtMs: used.get(name) ?? modifiedAtMs, isInUse: isInUse(name), isNamed: isNamed(name) }
        : [],
    )
    for (const { name } of toEvict(databases, bytesMax))
      for (const entry of entries) if (entry.name.startsWith(name)) await disk.remove(join(folder, entry.name))
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}
