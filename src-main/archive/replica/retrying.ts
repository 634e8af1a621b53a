/** Retries operations that fail on the disk, because network drives have short outages. Only faults with the code `failed` are
 *  retried; a full disk, a missing file or a refusal is final. Retrying is safe because no operation overwrites: a write that did
 *  succeed is reported as `occupied`. */
import { DiskFault, type Clock } from '../../world/world.ts'
import { around } from './around.ts'
import type { Replica } from './replica.ts'

export interface RetryRules {
  /** Number of attempts after the first one. */
  retriesMax: number
  /** Delay before the first retry in milliseconds, doubled before each further one. */
  delayMs: number
}

/** Wraps a replica so that its failed operations are retried. */
export function retrying(inner: Replica, clock: Clock, { retriesMax, delayMs }: RetryRules): Replica {
  return around(inner, async ({ operation, signal }, act) => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await act()
      } catch (error) {
        const isPassing = error instanceof DiskFault && error.code === 'failed'
        // A list cannot be resumed: a retry would repeat names, or end early as if the list were complete. The caller starts a new list.
        if (!isPassing || retries >= retriesMax || operation === 'list') throw error
        await clock.sleep(delayMs * 2 ** retries, signal)
      }
    }
  })
}
