/** SHA-256 of one file, read from the disk from beginning to end. Faults of the disk are its result, not its error. */
import { createHash } from 'node:crypto'
import type { Task } from '../world/world.ts'
import { refusalOf, type DiskRefusal } from './archiveFault.ts'
import { chunksOf, pauseMs, nowAndThen } from './readThrough.ts'

export interface HashInput {
  path: string
  /** 0: as fast as the disk gives. */
  bytesPerSecondMax: number
}

export type HashOutcome = { kind: 'hashed'; sha256: string; bytes: number } | DiskRefusal | { kind: 'stopped' }

export const task: Task<HashInput, HashOutcome, number> = async (context, input) => {
  try {
    return await hashed(context, input)
  } catch (error) {
    if (context.signal.aborted) return { kind: 'stopped' }
    return refusalOf(error)
  }
}

const hashed: Task<HashInput, HashOutcome, number> = async ({ world, report, signal }, { path, bytesPerSecondMax }) => {
  const startedMs = world.clock.now()
  const progress = nowAndThen(world.clock, report)
  const file = await world.disk.openRead(path)
  try {
    const running = createHash('sha256')
    let bytes = 0
    for await (const chunk of chunksOf(file)) {
      if (signal.aborted) return { kind: 'stopped' }
      running.update(chunk)
      bytes += chunk.length
      progress(bytes)
      const waitMs = pauseMs(bytes, world.clock.now() - startedMs, bytesPerSecondMax)
      if (waitMs > 0) await world.clock.sleep(waitMs, signal)
    }
    return { kind: 'hashed', sha256: running.digest('hex'), bytes }
  } finally {
    await file.close()
  }
}
