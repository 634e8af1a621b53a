/** Copies what a new version of a plan keeps of the version before, in a thread: a person waits for other answers meanwhile. */
import { openStore } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import { completeVersion } from './plan/keeping.ts'

/** What the copying is started with. */
export interface KeepingInput {
  databasePath: string
  /** Id of the version. */
  version: number
}

/** Runs until the version is complete. Rejects with the signal's reason. */
export async function task({ world, signal }: TaskContext<never>, input: KeepingInput): Promise<void> {
  const store = openStore(input.databasePath)
  try {
    await completeVersion({ store, clock: world.clock }, input.version, signal)
  } finally {
    store.close()
  }
}
