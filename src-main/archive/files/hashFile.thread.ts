/** Computes the SHA-256 of one file, read completely from disk; with a salt, its HMAC-SHA-256 (RFC 2104). */
import { createHash, createHmac } from 'node:crypto'
import { stopwatch } from '../../world/stopwatch.ts'
import type { Task } from '../../world/world.ts'
import { chunksOf, nowAndThen, pauseMs } from './readThrough.ts'

export interface HashInput {
  path: string
  /** Maximum rate in bytes per second; 0: unlimited. */
  bytesPerSecondMax: number
  /** The key of the HMAC. */
  salt?: string
}

export interface Hashed {
  sha256: string
  bytes: number
}

/** Entry of the thread. Reports the number of bytes read. */
export const task: Task<HashInput, Hashed, number> = async ({ world, report, signal }, input) => {
  const { path, bytesPerSecondMax, salt } = input
  const elapsedMs = stopwatch(world.clock)
  const progress = nowAndThen(world.clock, report)
  const file = await world.disk.openRead(path)
  try {
    const running = salt === undefined ? createHash('sha256') : createHmac('sha256', salt)
    let bytes = 0
    for await (const chunk of chunksOf(file)) {
      signal.throwIfAborted()
      running.update(chunk)
      bytes += chunk.length
      progress(bytes)
      const waitMs = pauseMs(bytes, elapsedMs(), bytesPerSecondMax)
      if (waitMs > 0) await world.clock.sleep(waitMs, signal)
    }
    return { sha256: running.digest('hex'), bytes }
  } finally {
    await file.close()
  }
}
