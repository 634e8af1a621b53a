/** The CDXJ lines of one WARC file, made in a worker thread, for a file in the archive or one that is about to be stored. */
import type { World } from '../../world/world.ts'
import type { IndexFileInput, IndexFileOutcome } from './indexFile.thread.ts'

/** Makes the index. Rejects with the signal's reason when it is aborted. */
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
