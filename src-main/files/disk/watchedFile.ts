/**
 * A view of an archive file that reports how far it has been read and stops when it is cancelled, even in the middle of a record of many
 * gigabytes.
 */
import type { ReadableFile } from '../../world/world.ts'
import { reportedBytes } from './limits.ts'

/** Parameters of a watched file. */
export interface Watching {
  signal: AbortSignal
  /** Receives the bytes read from the beginning. Readers move back and forth; this value only grows. */
  onBytes: (bytes: number) => void
}

/** Wraps an open file. Reads reject with the signal's reason once it is aborted. */
export function watchedFile(file: ReadableFile, { signal, onBytes }: Watching): ReadableFile {
  let reached = 0
  let reported = 0
  return {
    async read(into, position) {
      signal.throwIfAborted()
      const read = await file.read(into, position)
      reached = Math.max(reached, position + read)
      if (reached - reported >= reportedBytes) {
        reported = reached
        onBytes(reached)
      }
      return read
    },
    bytes: () => file.bytes(),
    close: () => file.close(),
  }
}
