/** Removes old events of all versions of all plans, in a thread: nothing else waits for it. */
import { openStore } from '../storage/storage.ts'
import type { TaskContext } from '../world/world.ts'
import { openPlans } from './plan/plans.ts'
import { stepKinds } from './run/stepKinds.ts'
import { compactEvents } from './status/compaction.ts'

/** What the compaction is started with. */
export interface CompactionInput {
  databasePath: string
}

/** Runs until all old events are removed, or until the signal is aborted. */
export async function task({ world, signal }: TaskContext<never>, input: CompactionInput): Promise<void> {
  const store = openStore(input.databasePath)
  try {
    const plans = openPlans({ store, clock: world.clock, kinds: stepKinds })
    for (const { plan: newest } of plans.newest())
      for (const { id, plan } of plans.versions(newest.name))
        await compactEvents({ store, clock: world.clock }, { plan: id, keepDays: plan.keepDays, signal })
  } finally {
    store.close()
  }
}
