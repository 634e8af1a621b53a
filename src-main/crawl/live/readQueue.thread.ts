/** Worker thread that reads the status of a job's queue, with its own read-only connection: it may count millions of rows. */
import type { QueueWhole } from '../../contract/services/live.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { readQueue } from './readQueue.ts'

/** Which queue to read; see `QueueQuery`. */
export interface QueueToRead {
  databasePath: string
  job: number
  host: string | null
}

/** Reads the queue. */
export const task: Task<QueueToRead, QueueWhole> = async ({ world }, { databasePath, job, host }) => {
  const store = openReader(databasePath)
  try {
    return readQueue(store, { job, host, nowMs: world.clock.now() })
  } finally {
    store.close()
  }
}
