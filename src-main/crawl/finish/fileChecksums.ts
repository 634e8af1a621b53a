/** Checksums of the files in a job's folder. The end of a job needs the checksum of a file twice: to check its index lines, and to
 *  register it in the archive. It is computed once. */
import { join } from 'node:path'
import { hashFile } from '../../archive/files/hashing.ts'
import type { Hashed } from '../../archive/files/hashChunks.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'

/** The checksums that were computed since this was opened. */
export interface FileChecksums {
  /** Reads the file for its length and SHA-256. Rejects with `DiskFault`. */
  compute(name: string): Promise<Hashed>
  /** The result of `compute`; undefined if it was not called, or if the file has another size or time of change since. */
  known(name: string): Promise<Hashed | undefined>
}

/** Opens the checksums of a folder; `signal` stops reading. */
export function fileChecksums({
  world,
  folder,
  signal,
}: Pick<FileSetting, 'world' | 'folder'> & { signal: AbortSignal }): FileChecksums {
  const computed = new Map<string, Hashed & { modifiedAtMs: number | undefined }>()
  const stat = (name: string) => world.disk.stat(join(folder, name))
  return {
    async compute(name) {
      const modifiedAtMs = (await stat(name))?.modifiedAtMs
      const hashed = await hashFile(world, { path: join(folder, name), bytesPerSecondMax: 0 }, { signal })
      computed.set(name, { ...hashed, modifiedAtMs })
      return hashed
    },
    async known(name) {
      const found = computed.get(name)
      const entry = await stat(name)
      if (!found || found.bytes !== entry?.bytes || found.modifiedAtMs !== entry.modifiedAtMs) return undefined
      return { sha256: found.sha256, bytes: found.bytes }
    },
  }
}
