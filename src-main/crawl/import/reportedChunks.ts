/** Reads a source in chunks: passes each to a callback, reports progress, and stops when the signal is aborted. */
import type { TaskContext } from '../../world/world.ts'
import type { OpenSource } from './source.ts'

/** Bytes between two reports: a few reports per second on a fast disk. */
const reportEveryBytes = 32 * 1024 * 1024

/** Yields the chunks of the source in order. Each is valid only until the next one is requested; `onChunk` is called before that. Rejects
 *  with the reason of the signal. */
export async function* reportedChunks(
  { report, signal }: TaskContext<number>,
  source: OpenSource,
  onChunk: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0
  let reportedAtBytes = 0
  for await (const bytes of source.chunks()) {
    signal.throwIfAborted()
    onChunk(bytes)
    yield bytes
    done += bytes.length
    if (done - reportedAtBytes < reportEveryBytes) continue
    reportedAtBytes = done
    report(done)
  }
}
