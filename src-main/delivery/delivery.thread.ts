/** A running plan in a thread of its own, with its own connection to the database: extraction and hashing delay no answer to a user. */
import { openArchive } from '../archive/store/archive.ts'
import { openStore } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import { openDelivery, type DeliveryReport, type ReplicaPlace, type RunProgress } from './delivery.ts'

/** What the plan is started with, as it is sent to its thread. */
export interface DeliveryInput {
  databasePath: string
  /** `<archive>/jobs`. */
  jobsFolder: string
  /** `<archive>/indexes`. */
  indexesFolder: string
  replicas: ReplicaPlace[]
  /** Id of the version. */
  version: number
  /** Whether the run ends when every document is settled, whatever the intervals of the scanners. */
  isOnce: boolean
}

/** What the thread reports. */
export type ThreadReport = DeliveryReport | { kind: 'progress'; progress: RunProgress }

/** Runs until the signal is aborted, or until every document is settled. */
export async function task({ world, report, signal }: TaskContext<ThreadReport>, input: DeliveryInput): Promise<void> {
  const store = openStore(input.databasePath)
  try {
    const archive = await openArchive({ store, world, replicas: input.replicas })
    const { jobsFolder, indexesFolder } = input
    const delivery = openDelivery({ store, world, archive, jobsFolder, indexesFolder })
    const version = delivery.plans.version(input.version)
    if (!version) throw new Error(`there is no version ${input.version} of a plan`)
    const onProgress = (progress: RunProgress) => report({ kind: 'progress', progress })
    await delivery.run(version, { isOnce: input.isOnce, onReport: report, onProgress, signal })
  } finally {
    store.close()
  }
}
