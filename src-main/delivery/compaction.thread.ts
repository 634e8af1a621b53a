/** Removes old events of all plans, in a thread: nothing else waits for it. */
import { openStore } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import { compactEvents } from './status/compaction.ts'

/** What the compaction is started with. */
export interface CompactionInput {
  databasePath: string
}

/** Runs until all old events are removed, or until the signal is aborted. */
export async function task({ world, signal }: TaskContext<never>, input: CompactionInput): Promise<void> {
  const store = openStore(input.databasePath)
  try {
    await compactEvents({ store, clock: world.clock }, signal)
  } finally {
    store.close()
  }
}
