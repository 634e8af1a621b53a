/** Worker thread that reads the status of a job's queue, with its own read-only connection: it may count millions of rows. */
import type { QueueWhole } from '../../contract/services/live.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { lookAt } from './look.ts'

/** Which queue to read; see `Look`. */
export interface LookInput {
  databasePath: string
  job: number
  host: string | null
}

/** Reads the queue. */
export const task: Task<LookInput, QueueWhole> = async ({ world }, { databasePath, job, host }) => {
  const store = openReader(databasePath)
  try {
    return lookAt(store, { job, host, nowMs: world.clock.now() })
  } finally {
    store.close()
  }
}
