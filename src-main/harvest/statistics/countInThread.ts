/** Starts the count of a job in a thread. */
import type { StoreUser } from '../../storage/storage.ts'
import type { Threads } from '../../world/world.ts'
import type { CountInput } from './count.thread.ts'
import type { UncountedJob } from './statistics.sql.ts'

const module = new URL('./count.thread.ts', import.meta.url)

interface ThreadSetting {
  threads: Threads
  databasePath: string
  user: StoreUser | undefined
  signal: AbortSignal
}

/** Returns the function that counts jobs, each in a thread. */
export function countInThread({
  threads,
  databasePath,
  user,
  signal,
}: ThreadSetting): (job: UncountedJob) => Promise<void> {
  return (job) => threads.run<CountInput, void>(module, { databasePath, user, job }, { signal })
}
