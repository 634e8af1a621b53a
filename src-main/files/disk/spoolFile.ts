/** Temporary file for a block that is too large for memory, until it is written. It is created on first use. */
import type { Spool } from '../../formats/rewrite/heldBlock.ts'
import type { Disk, WritableFile } from '../../world/world.ts'
import { readBytes } from './limits.ts'

export interface SpoolFile extends Spool {
  /** Removes the file. */
  close(): Promise<void>
}

/** Makes a spool. `path` must not exist. */
export function spoolFile(disk: Disk, path: string): SpoolFile {
  let file: WritableFile | undefined
  return {
    async clear() {
      file ??= await disk.openWrite(path, 'create')
      await file.truncate(0)
    },
    async append(bytes) {
      if (!file) throw new Error('a spool is cleared before it is filled')
      await file.append([bytes])
    },
    async *read(bytes) {
      const reader = await disk.openRead(path)
      try {
        for (let position = 0; position < bytes;) {
          const buffer = Buffer.allocUnsafe(Math.min(readBytes, bytes - position))
          const read = await reader.read(buffer, position)
          if (read === 0) throw new Error(`${path} became shorter while it was in use`)
          yield buffer.subarray(0, read)
          position += read
        }
      } finally {
        await reader.close()
      }
    },
    async close() {
      if (!file) return
      await file.close()
      await disk.remove(path)
    },
  }
}
