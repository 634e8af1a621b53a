/** Decides whether the index lines that were made together with a file of a job can be used. */
import { join } from 'node:path'
import { hashFile } from '../../archive/files/hashing.ts'
import { DiskFault } from '../../world/world.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import { writtenDigest } from '../capture/records/jobFiles.ts'
import { linesPath } from '../model/linesFile.ts'

type LinesSetting = Pick<FileSetting, 'store' | 'world' | 'folder'> & { signal: AbortSignal }

/** Whether the index lines of a file exist and can be used. Lines of an import were made by reading the file. Those of a harvest were made
 *  while it was written: the file must still have these bytes, since nothing has read it since. */
export async function hasLines({ store, world, folder, signal }: LinesSetting, name: string): Promise<boolean> {
  if (!(await world.disk.stat(linesPath(folder, name)))) return false
  const written = writtenDigest(store, name)
  if (written === null) return true
  try {
    return (await hashFile(world, { path: join(folder, name), bytesPerSecondMax: 0 }, { signal })).sha256 === written
  } catch (error) {
    // Reading the file for its lines reports why it cannot be read.
    if (error instanceof DiskFault) return false
    throw error
  }
}
