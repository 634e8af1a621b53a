/** The CDXJ lines of one WARC file, made in a worker thread: for a file in the archive and for one on its way there. */
import type { World } from '../../world/world.ts'
import type { IndexFileInput, IndexFileOutcome } from './indexFile.thread.ts'

/** Rejects with the signal's reason when it is aborted. */
export function indexFile(
  world: World,
  input: IndexFileInput,
  options: { signal?: AbortSignal } = {},
): Promise<IndexFileOutcome> {
  return world.threads.run<IndexFileInput, IndexFileOutcome>(
    new URL('./indexFile.thread.ts', import.meta.url),
    input,
    options,
  )
}
