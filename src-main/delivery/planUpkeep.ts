/** What goes on next to the runs of plans: changes of statuses are reported, and old events are removed once a day. */
import type { Store } from '../storage/storage.ts'
import { sleepUnlessAborted } from '../world/sleepUnlessAborted.ts'
import type { World } from '../world/world.ts'
import type { CompactionInput } from './compaction.thread.ts'
import { planRunStatements } from './plan/planRuns.sql.ts'

/** Time between two looks at whether statuses have changed. */
const watchMs = 1_000
const compactEveryMs = 24 * 3_600_000

interface Upkeep {
  store: Store
  world: Pick<World, 'threads' | 'clock'>
  databasePath: string
  /** Called when a status has changed. */
  onChanged(): void
  /** Called with what the compaction throws. */
  onProblem(error: unknown): void
}

/** Reports changes of statuses while plans run: their threads write them. */
export async function watchStatuses(
  { store, world: { clock }, onChanged }: Pick<Upkeep, 'store' | 'world' | 'onChanged'>,
  isAnyRunning: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const sql = planRunStatements(store)
  for (let seen = 0; !signal.aborted;) {
    await sleepUnlessAborted(clock, watchMs, signal)
    if (signal.aborted || !isAnyRunning()) continue
    const newest = sql.newestEvent.get({})?.id ?? 0
    if (newest !== seen) onChanged()
    seen = newest
  }
}

/** Removes events that are older than their plans keep them. */
export async function compactDaily(
  { store, world: { threads, clock }, databasePath, onProblem }: Omit<Upkeep, 'onChanged'>,
  signal: AbortSignal,
): Promise<void> {
  const sql = planRunStatements(store)
  const module = new URL('./compaction.thread.ts', import.meta.url)
  while (!signal.aborted) {
    try {
      if (sql.newestEvent.get({})?.id) await threads.run<CompactionInput, void>(module, { databasePath }, { signal })
    } catch (error) {
      if (!signal.aborted) onProblem(error)
    }
    await sleepUnlessAborted(clock, compactEveryMs, signal)
  }
}
