/** A run without limits of hops writes down no link. What an earlier run knew of them would be wrong for a later one that has
 *  limits again: so it goes, in steps, before such a run begins. */
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import { scannedCountMax } from '../../model/limits.ts'

export async function forgetHops(
  { store, world, signal }: { store: Store; world: Pick<World, 'clock'>; signal: AbortSignal },
  job: number,
): Promise<void> {
  const some = store.statement<{ job: number; limit: number }>(
    `DELETE FROM hop_node WHERE id IN (SELECT id FROM hop_node WHERE job_id = @job LIMIT @limit)`,
  )
  while (some.run({ job, limit: scannedCountMax }) > 0) await world.clock.sleep(0, signal)
}
