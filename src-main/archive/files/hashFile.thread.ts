/** Computes the SHA-256 of one file, read completely from disk; with a salt, its HMAC-SHA-256 (RFC 2104). */
import type { Task } from '../../world/world.ts'
import { hashChunks, type Hashed } from './hashChunks.ts'
import { chunksOf } from './readThrough.ts'

export interface HashInput {
  path: string
  /** Maximum rate in bytes per second; 0: unlimited. */
  bytesPerSecondMax: number
  /** The key of the HMAC. */
  salt?: string
}

/** Entry of the thread. Reports the number of bytes read. */
export const task: Task<HashInput, Hashed, number> = async ({ world, report, signal }, input) => {
  const { path, bytesPerSecondMax, salt } = input
  const file = await world.disk.openRead(path)
  try {
    return await hashChunks(world.clock, chunksOf(file), { bytesPerSecondMax, salt, signal, onReport: report })
  } finally {
    await file.close()
  }
}
