/** One look at a job's queue, over a connection of its own that only reads: it counts what may be millions. */
import type { QueueWhole } from '../../contract/services/live.ts'
import { openReader } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { lookAt } from './look.ts'

export interface LookInput {
  databasePath: string
  job: number
  host: string | null
}

export const task: Task<LookInput, QueueWhole> = async ({ world }, { databasePath, job, host }) => {
  const store = openReader(databasePath)
  try {
    return lookAt(store, { job, host, nowMs: world.clock.now() })
  } finally {
    store.close()
  }
}
