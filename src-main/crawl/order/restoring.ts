/** Reads what the last segment of an ordered run left in the database and in the folder of the job. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { queueStatements } from '../frontier/queue.sql.ts'
import type { WindowEntry } from './commitWindow.ts'
import { orderStatements, type NumberRow } from './commitWindow.sql.ts'
import type { EarlyResults } from './earlyResults.ts'
import type { HeldResults } from './heldResults.ts'
import type { Numbers } from './issuing.ts'

/** Parameters of `restored`. */
export interface RestoringSetting {
  store: Store
  world: Pick<World, 'clock'>
  job: number
  runId: string
}

/** Parts of the ordered commit that are filled. */
export interface RestoredParts {
  early: EarlyResults
  held: HeldResults
  numbers: Numbers
}

/** Returns a function to be called in a transaction, which restores the window. Early results that are not whole are fetched again, and so is
 *  everything that was under way. */
export async function restored(
  { store, world, job, runId }: RestoringSetting,
  { early, held, numbers }: RestoredParts,
): Promise<() => { next: number; entries: WindowEntry[] }> {
  const sql = orderStatements(store)
  const queue = queueStatements(store)
  sql.forgetOtherRuns.run({ job, runId })
  const rows = sql.numbers.all({ job, runId })
  const lengths = new Map<number, number>()
  for (const { number, isAcknowledged } of rows) {
    const bytes = isAcknowledged === 1 ? await early.wholeBytes(number) : undefined
    if (bytes !== undefined) lengths.set(number, bytes)
  }
  await early.removeOthers(lengths)

  /** Tells whether the document still has a turn. That of an early result is claimed again. */
  function stays({ number, document }: NumberRow): boolean {
    if (lengths.has(number)) return queue.claim.all({ ids: JSON.stringify([document]) }).length === 1
    return sql.isQueued.get({ document })?.isQueued === 1
  }

  function entryOf({ number, document: id, url, reschedules }: NumberRow): WindowEntry {
    const bytes = lengths.get(number)
    numbers.add(number, { id, url })
    sql.acknowledge.run({ job, number, isAcknowledged: bytes === undefined ? 0 : 1 })
    if (bytes !== undefined) held.takeOver(number, bytes)
    return { number, reschedules, isAcknowledged: bytes !== undefined, scheduledMs: world.clock.elapsed() }
  }

  return () => {
    const entries = rows.flatMap((row) => {
      if (stays(row)) return [entryOf(row)]
      sql.remove.run({ job, number: row.number })
      return []
    })
    return { next: sql.next.get({ job, runId })?.next ?? 1, entries }
  }
}
