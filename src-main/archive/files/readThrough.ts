/** Helpers to read a whole file: a reused buffer, rate limits and progress reports. */
import { stopwatch } from '../../world/stopwatch.ts'
import type { Clock, ReadableFile } from '../../world/world.ts'
import { bufferBytes, progressEveryMs, type ArchiveLimits } from './limits.ts'

/** Buffer kept for the next file: allocating a megabyte for each of many small files costs more than reading them. */
let spare: Buffer | undefined

/** Reads the file's bytes from start to end. A chunk is valid only until the next one is requested. */
export async function* chunksOf(file: ReadableFile): AsyncGenerator<Uint8Array> {
  const buffer = spare ?? Buffer.allocUnsafe(bufferBytes)
  spare = undefined
  try {
    for (let position = 0; ;) {
      const read = await file.read(buffer, position)
      if (read > 0) yield buffer.subarray(0, read)
      position += read
      // `ReadableFile` guarantees that a short read means the end of the file, so no further read is needed.
      if (read < buffer.length) return
    }
  } finally {
    spare = buffer
  }
}

/** Returns a function that calls `onValue` at most once every `progressEveryMs`, so that users can read the values. */
export function nowAndThen<T>(clock: Clock, onValue: (value: T) => void): (value: T) => void {
  const elapsedMs = stopwatch(clock)
  let calledAtMs = 0
  return (value) => {
    const nowMs = elapsedMs()
    if (nowMs - calledAtMs < progressEveryMs) return
    calledAtMs = nowMs
    onValue(value)
  }
}

/** Read limit of a check in bytes per second, by who began it; 0: unlimited. */
export function paceOf(limits: ArchiveLimits, begunBy: 'user' | 'schedule'): number {
  return begunBy === 'user' ? limits.checkBytesPerSecondMax : limits.quietBytesPerSecondMax
}

/** Milliseconds to wait so that `bytes` in `elapsedMs` do not exceed the rate. */
export function pauseMs(bytes: number, elapsedMs: number, bytesPerSecondMax: number): number {
  if (bytesPerSecondMax <= 0) return 0
  return Math.max(0, Math.ceil((bytes * 1000) / bytesPerSecondMax - elapsedMs))
}
