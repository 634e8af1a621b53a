/** All outputs of an archive in one thread, with its own connection to the database: neither the crawl nor an answer to a user waits for a
 *  destination. */
import { openArchive } from '../archive/store/archive.ts'
import { openStore } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import { stepEnvironment, type ReplicaPlace } from './delivery.ts'
import { usualPauses, type OutputReport } from './outputs/runOutput.ts'
import { runOutputs } from './outputs/runOutputs.ts'

/** What the thread is started with. */
export interface OutputsInput {
  databasePath: string
  /** `<archive>/jobs`. */
  jobsFolder: string
  /** `<archive>/indexes`. */
  indexesFolder: string
  replicas: ReplicaPlace[]
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
}

/** What an output has reported. */
export interface ReportOfOutput {
  output: string
  report: OutputReport
}

/** Runs until the signal is aborted. */
export async function task({ world, report, signal }: TaskContext<ReportOfOutput>, input: OutputsInput): Promise<void> {
  const { jobsFolder, indexesFolder } = input
  const store = openStore(input.databasePath)
  try {
    const archive = await openArchive({ store, world, replicas: input.replicas })
    await runOutputs({
      environment: stepEnvironment({ store, world, archive, jobsFolder, indexesFolder }),
      ...{ archiveFolders: input.archiveFolders, pauses: usualPauses, signal },
      onReport: (output, each) => report({ output, report: each }),
    })
  } finally {
    store.close()
  }
}
