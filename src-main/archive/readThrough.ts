/** Reading a whole file for its checksum: one buffer, used again for every read, and a pace that can be held down. */
import type { Clock, ReadableFile } from '../world/world.ts'
import { bufferBytes, progressEveryMs } from './limits.ts'

/** The file's bytes from beginning to end. A chunk is only valid until the next one is asked for. */
export async function* chunksOf(file: ReadableFile): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(bufferBytes)
  for (let position = 0; ;) {
    const read = await file.read(buffer, position)
    if (read > 0) yield buffer.subarray(0, read)
    position += read
    // A short read is the end of the file (promise of `ReadableFile`): no second read only to be told so.
    if (read < buffer.length) return
  }
}

/** Hands on to `tell`, but no more often than a person can read. */
export function nowAndThen<T>(clock: Clock, tell: (value: T) => void): (value: T) => void {
  let toldAtMs = clock.now()
  return (value) => {
    const nowMs = clock.now()
    if (nowMs - toldAtMs < progressEveryMs) return
    toldAtMs = nowMs
    tell(value)
  }
}

/** How long to wait so that `bytes` since `startedMs` are no faster than allowed. */
export function pauseMs(bytes: number, elapsedMs: number, bytesPerSecondMax: number): number {
  if (bytesPerSecondMax <= 0) return 0
  return Math.max(0, Math.ceil((bytes * 1000) / bytesPerSecondMax - elapsedMs))
}
