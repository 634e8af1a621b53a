/** Removes old events of settled documents. The current status of every document stays, however old, so that none looks as if it had never
 *  been seen; and what may be processed again keeps all of its events. */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { deliveryQueryStatements } from './queries.sql.ts'

/** Events of one transaction. */
const pageEventsMax = 5_000
const dayMs = 86_400_000

/** Removes the events of a version of a plan that are older than `keepDays`. Returns how many. Other work runs in between. */
export async function compactEvents(
  { store, clock }: { store: Store; clock: Pick<Clock, 'now' | 'sleep'> },
  { plan, keepDays, signal }: { plan: number; keepDays: number; signal: AbortSignal },
): Promise<number> {
  const sql = deliveryQueryStatements(store)
  const age = { keepMs: keepDays * dayMs, nowMs: clock.now() }
  let removed = 0
  for (let after = 0; !signal.aborted;) {
    const page = sql.eventsBefore.all({ after, ...age, limit: pageEventsMax })
    const last = page.at(-1)?.id
    if (last === undefined) break
    removed += store.transaction(() => sql.compact.run({ plan, after, last, ...age }))
    after = last
    await clock.sleep(1)
  }
  return removed
}
