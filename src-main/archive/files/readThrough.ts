/** Reading a whole file for its checksum: one buffer, used again for every read, and a pace that can be held down. */
import { stopwatch } from '../../world/stopwatch.ts'
import type { Clock, ReadableFile } from '../../world/world.ts'
import { bufferBytes, progressEveryMs, type ArchiveLimits } from './limits.ts'

/** The buffer of the last file that was read, for the next one: a new megabyte for each of many small files costs more
 *  than reading them. */
let spare: Buffer | undefined

/** The file's bytes from beginning to end. A chunk is only valid until the next one is asked for. */
export async function* chunksOf(file: ReadableFile): AsyncGenerator<Uint8Array> {
  const buffer = spare ?? Buffer.allocUnsafe(bufferBytes)
  spare = undefined
  try {
    for (let position = 0; ;) {
      const read = await file.read(buffer, position)
      if (read > 0) yield buffer.subarray(0, read)
      position += read
      // A short read is the end of the file (promise of `ReadableFile`): no second read only to be told so.
      if (read < buffer.length) return
    }
  } finally {
    spare = buffer
  }
}

/** Hands on to `tell`, but no more often than a person can read. */
export function nowAndThen<T>(clock: Clock, tell: (value: T) => void): (value: T) => void {
  const elapsedMs = stopwatch(clock)
  let toldAtMs = 0
  return (value) => {
    const nowMs = elapsedMs()
    if (nowMs - toldAtMs < progressEveryMs) return
    toldAtMs = nowMs
    tell(value)
  }
}

/** Read limit of a check in bytes per second, by who began it; 0: unlimited. */
export function paceOf(limits: ArchiveLimits, begunBy: 'person' | 'schedule'): number {
  return begunBy === 'person' ? limits.checkBytesPerSecondMax : limits.quietBytesPerSecondMax
}

/** How long to wait so that `bytes` in `elapsedMs` are no faster than allowed. */
export function pauseMs(bytes: number, elapsedMs: number, bytesPerSecondMax: number): number {
  if (bytesPerSecondMax <= 0) return 0
  return Math.max(0, Math.ceil((bytes * 1000) / bytesPerSecondMax - elapsedMs))
}
