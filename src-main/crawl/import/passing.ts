/** All bytes of a source in order, seen on their way, with progress told and an end when nobody wants them any more. */
import type { TaskContext } from '../../world/world.ts'
import type { OpenSource } from './source.ts'

/** Between two reports: a few for each second of a fast disk. */
const reportedBytes = 32 * 1024 * 1024

/** A chunk is only valid until the next one is asked for. */
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
