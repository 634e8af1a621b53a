/** The file that a good copy is written from. A copy in a store of the user has no path, so it is fetched first, next to the copies of a
 *  replica in a folder; there an interrupted fetch is removed as any unfinished copy. */
import { dirname, join } from 'node:path'
import { BatchedWrites } from '../../files/disk/batchedWrites.ts'
import type { World } from '../../world/world.ts'
import { fetchedName } from '../files/names.ts'
import { chunksOf } from '../files/readThrough.ts'
import { undefinedWhenAbsent } from '../files/undefinedWhen.ts'
import type { Replica } from './replica.ts'

/** Where the bytes are, and where they go. */
export interface Way {
  /** Name of the file. */
  name: string
  /** What the source has its bytes under: the name, or where they were set aside. */
  object: string
  source: Replica
  target: Replica
  signal: AbortSignal
}

/** Calls `act` with the path of the source's copy. Rejects with `DiskFault` or `ArchiveFault` when the copy cannot be fetched, and with the
 *  signal's reason. */
export async function withSourceFile<T>(
  { archive, world }: { archive: { places: readonly Replica[] }; world: World },
  way: Way,
  act: (path: string) => Promise<T>,
): Promise<T> {
  const { name, object, source, target } = way
  const own = source.pathOf(object)
  if (own !== undefined) return act(own)
  const near = [target, ...archive.places].flatMap((place) => place.pathOf(name) ?? [])[0]
  if (near === undefined) throw new Error('an archive has a replica in a folder')
  const path = join(dirname(near), fetchedName(name))
  try {
    await fetchTo(world, path, way)
    return await act(path)
  } finally {
    await world.disk.remove(path).catch(undefinedWhenAbsent)
  }
}

async function fetchTo({ disk }: World, path: string, { object, source, signal }: Way): Promise<void> {
  await disk.remove(path).catch(undefinedWhenAbsent)
  const from = await source.open(object)
  try {
    const to = await disk.openWrite(path, 'create')
    try {
      const writes = new BatchedWrites(to)
      for await (const chunk of chunksOf(from)) {
        signal.throwIfAborted()
        await writes.append(Uint8Array.from(chunk))
      }
      await writes.flush()
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}
