/** Decides whether the index lines that were made together with a file of a job can be used. */
import { DiskFault } from '../../world/world.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import { writtenDigest } from '../capture/records/jobFiles.ts'
import { linesPath } from '../model/linesFile.ts'
import type { FileChecksums } from './fileChecksums.ts'

type LinesSetting = Pick<FileSetting, 'store' | 'world' | 'folder'> & { checksums: FileChecksums }

/** Tells whether the index lines of a file exist and can be used. Lines without a digest were made by reading the file, as for an
 *  import. Others were made while the file was written: it must still have these bytes, because it was not read since. */
export async function hasLines({ store, world, folder, checksums }: LinesSetting, name: string): Promise<boolean> {
  if (!(await world.disk.stat(linesPath(folder, name)))) return false
  const written = writtenDigest(store, name)
  if (written === null) return true
  try {
    return (await checksums.compute(name)).sha256 === written
  } catch (error) {
    // Reading the file for its lines reports why it cannot be read.
    if (error instanceof DiskFault) return false
    throw error
  }
}
