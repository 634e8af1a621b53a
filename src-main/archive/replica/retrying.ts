/** A replica that tries again what its disk failed at: a drive over the network now and then loses a moment. Only what the
 *  system calls a failure is tried again; a full disk, a missing file or a refusal is an answer. Trying again is safe,
 *  since no operation of a replica overwrites: a writing that had come through in truth is found `occupied`. */
import { DiskFault, type Clock } from '../../world/world.ts'
import { around } from './around.ts'
import type { Replica } from './replica.ts'

export interface RetryRules {
  /** Tries after the first one. */
  retriesMax: number
  /** Before the first retry; twice as long before each further one. */
  delayMs: number
}

export function retrying(inner: Replica, clock: Clock, { retriesMax, delayMs }: RetryRules): Replica {
  return around(inner, async ({ operation, signal }, act) => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await act()
      } catch (error) {
        const isPassing = error instanceof DiskFault && error.code === 'failed'
        // What a list has given it would give again, or worse, end early as if that were all. The caller lists again.
        if (!isPassing || retries >= retriesMax || operation === 'list') throw error
        await clock.sleep(delayMs * 2 ** retries, signal)
      }
    }
  })
}
