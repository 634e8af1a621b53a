/** Starts the count of a job in a thread. */
import type { Archive } from '../../archive/store/archive.ts'
import type { StoreUser } from '../../storage/storage.ts'
import type { Threads } from '../../world/world.ts'
import type { CountInput } from './count.thread.ts'
import { isMetadataName } from './importedLogs.ts'
import type { UncountedJob } from './statistics.sql.ts'

const module = new URL('./count.thread.ts', import.meta.url)

interface CountSetting {
  threads: Threads
  archive: Pick<Archive, 'selected' | 'pathOfFile'>
  databasePath: string
  user: StoreUser | undefined
  signal: AbortSignal
}

/** Returns the function that counts jobs, each in a thread. */
export function countInThread(setting: CountSetting): (job: UncountedJob) => Promise<void> {
  const { threads, databasePath, user, signal } = setting
  return async (job) => {
    const metadataPaths = job.kind === 'import' ? await pathsOfMetadata(setting, job.job) : []
    await threads.run<CountInput, void>(module, { databasePath, user, job, metadataPaths }, { signal })
  }
}

/** Copies of the metadata files of an imported job. A file that no replica provides is left out. */
async function pathsOfMetadata({ archive }: CountSetting, job: number): Promise<string[]> {
  const { files } = archive.selected({ jobs: [job] }, { withMetadata: false })
  const names = files.map(({ name }) => name).filter(isMetadataName)
  const found = await Promise.all(names.map((name) => archive.pathOfFile(name)))
  return found.flatMap((copy) => (copy ? [copy.path] : []))
}
