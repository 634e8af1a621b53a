/** Passes all bytes of a source on in order, shows them to a callback, reports progress, and stops when the signal is aborted. */
import type { TaskContext } from '../../world/world.ts'
import type { OpenSource } from './source.ts'

/** Bytes between two reports: a few reports per second on a fast disk. */
const reportedBytes = 32 * 1024 * 1024

/** Yields the chunks of the source. Each is valid only until the next one is requested. */
export async function* passing(
  { report, signal }: TaskContext<number>,
  source: OpenSource,
  see: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0
  let reportedBytes_ = 0
  for await (const bytes of source.chunks()) {
    signal.throwIfAborted()
    see(bytes)
    yield bytes
    done += bytes.length
    if (done - reportedBytes_ < reportedBytes) continue
    reportedBytes_ = done
    report(done)
  }
}
