/** Writes a file from beginning to end and syncs it, replacing one that an earlier start left. Returns the number of bytes. */
import type { World } from '../../world/world.ts'

/** Writes `chunks` to `path`; rejects with `DiskFault` if the disk refuses. */
export async function writeNew(world: World, path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await world.disk.openWrite(path, 'append')
  try {
    await file.truncate(0)
    for await (const chunk of chunks) await file.append([chunk])
    await file.sync()
    return file.position
  } finally {
    await file.close()
  }
}
