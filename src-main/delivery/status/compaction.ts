/** Removes old events of settled documents. The current status of every document stays, however old, so that none looks as if it had never
 *  been seen; and what may be processed again keeps all of its events. */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { deliveryQueryStatements } from './queries.sql.ts'

/** Events of one transaction. */
const pageEventsMax = 5_000

/** Removes the events of all plans that are older than each keeps them. Returns how many. Other work runs in between. */
export async function compactEvents(
  { store, clock }: { store: Store; clock: Pick<Clock, 'now' | 'sleep'> },
  signal: AbortSignal,
): Promise<number> {
  const sql = deliveryQueryStatements(store)
  const nowMs = clock.now()
  let removed = 0
  for (let after = 0; !signal.aborted;) {
    const last = sql.pageEnd.get({ after, limit: pageEventsMax })?.last
    if (typeof last !== 'number') break
    removed += store.transaction(() => sql.compact.run({ after, last, nowMs }))
    after = last
    await clock.sleep(1)
  }
  return removed
}
