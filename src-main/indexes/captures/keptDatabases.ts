/** The complete capture databases on the disk, whichever selection they were built for. */
import { join } from 'node:path'
import { openDerived, StorageFault } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { wholeIndexOver, type CaptureIndex } from './captureIndex.ts'
import { captureSchema } from './captureIndex.sql.ts'
import { keptAt, type Kept } from './manifest.ts'

/** A complete database. */
export interface KeptDatabase {
  path: string
  kept: Kept
  /** Files in the database, and those that could not be read when it was built. */
  names: ReadonlySet<string>
}

/** Returns a function that lists the databases of a folder, those of most files first. */
export function keptDatabases({ folder, world }: { folder: string; world: World }): () => Promise<KeptDatabase[]> {
  /** Databases by name; a database never changes under one name. */
  const known = new Map<string, KeptDatabase | undefined>()

  async function databaseAt(path: string): Promise<KeptDatabase | undefined> {
    const kept = await keptAt(path, world.disk)
    if (kept === undefined) return undefined
    const { files, filesMissing } = kept.manifest
    return { path, kept, names: new Set([...files, ...filesMissing].map(({ name }) => name)) }
  }

  return async () => {
    const names = (await world.disk.list(folder)).map(({ name }) => name).filter((name) => name.endsWith('.db'))
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
    for (const name of names) if (!known.has(name)) known.set(name, await databaseAt(join(folder, name)))
    const found = names.flatMap((name) => known.get(name) ?? [])
    return found.toSorted((a, b) => b.kept.manifest.files.length - a.kept.manifest.files.length)
  }
}

/** Reads one database, and closes it. Undefined: it is damaged or was removed. */
export async function readDatabase<Answer>(
  { path, kept }: KeptDatabase,
  world: World,
  read: (index: CaptureIndex) => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    const index = wholeIndexOver(openDerived(path, captureSchema), { kept, world })
    try {
      return await read(index)
    } finally {
      index.close()
    }
  } catch (error) {
    if (error instanceof StorageFault) return undefined
    throw error
  }
}
