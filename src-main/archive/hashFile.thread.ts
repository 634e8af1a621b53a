/** SHA-256 of one file, read from the disk from beginning to end. */
import { createHash } from 'node:crypto'
import type { Task } from '../world/world.ts'
import { chunksOf, nowAndThen, pauseMs } from './readThrough.ts'

export interface HashInput {
  path: string
  /** 0: as fast as the disk gives. */
  bytesPerSecondMax: number
}

export interface Hashed {
  sha256: string
  bytes: number
}

export const task: Task<HashInput, Hashed, number> = async ({ world, report, signal }, { path, bytesPerSecondMax }) => {
  const startedMs = world.clock.now()
  const progress = nowAndThen(world.clock, report)
  const file = await world.disk.openRead(path)
  try {
    const running = createHash('sha256')
    let bytes = 0
    for await (const chunk of chunksOf(file)) {
      signal.throwIfAborted()
      running.update(chunk)
      bytes += chunk.length
      progress(bytes)
      const waitMs = pauseMs(bytes, world.clock.now() - startedMs, bytesPerSecondMax)
      if (waitMs > 0) await world.clock.sleep(waitMs, signal)
    }
    return { sha256: running.digest('hex'), bytes }
  } finally {
    await file.close()
  }
}
