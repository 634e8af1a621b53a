/** Worker thread that counts one job, with its own connection: a crawl log may have millions of lines. */
import { openStore, type StoreUser } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { countHarvested } from './countJob.ts'
import type { UncountedJob } from './statistics.sql.ts'

/** The database, and the job to count. */
export interface CountInput {
  databasePath: string
  user: StoreUser | undefined
  job: UncountedJob
}

/** Counts the job. */
export const task: Task<CountInput, void> = async ({ signal }, { databasePath, user, job }) => {
  const store = openStore(databasePath, { user })
  try {
    countHarvested(store, job, signal)
  } finally {
    store.close()
  }
}
