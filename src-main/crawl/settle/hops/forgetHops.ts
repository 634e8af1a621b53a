/** Deletes the hop counts of a job, in steps, before a run without hop limits. Such a run records no links, so the earlier
 *  ones would be wrong for a later run with limits. */
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import { scannedCountMax } from '../../model/limits.ts'

/** Deletes them. Can be repeated after a kill; rejects with the reason of `signal` when it is aborted. */
export async function forgetHops(
  { store, world, signal }: { store: Store; world: Pick<World, 'clock'>; signal: AbortSignal },
  job: number,
): Promise<void> {
  const some = store.statement<{ job: number; limit: number }>(
    `DELETE FROM hop_node WHERE id IN (SELECT id FROM hop_node WHERE job_id = @job LIMIT @limit)`,
  )
  while (some.run({ job, limit: scannedCountMax }) > 0) await world.clock.sleep(0, signal)
}
