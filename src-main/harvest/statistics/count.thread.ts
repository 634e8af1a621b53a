/** Worker thread that counts one job, with its own connection: a crawl log may have millions of lines. */
import { openStore, type StoreUser } from '../../storage/storage.ts'
import type { Task } from '../../world/world.ts'
import { countHarvested, storeCounts } from './countJob.ts'
import { countImported } from './importedLogs.ts'
import type { UncountedJob } from './statistics.sql.ts'

/** The database, and the job to count. */
export interface CountInput {
  databasePath: string
  user: StoreUser | undefined
  job: UncountedJob
  /** Copies of the metadata files of an imported job. */
  metadataPaths: string[]
}

/** Counts the job. */
export const task: Task<CountInput, void> = async (context, { databasePath, user, job, metadataPaths }) => {
  const store = openStore(databasePath, { user })
  try {
    if (job.kind === 'event') countHarvested(store, job, context.signal)
    else storeCounts(store, job, await countImported(context, metadataPaths))
  } finally {
    store.close()
  }
}
