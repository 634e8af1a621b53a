/** Prepares the list of a job for its next run or its deletion, in steps, so that no transaction blocks others for long. A
 *  kill between two steps does no harm: the start begins again, and finished steps stay done. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { scannedCountMax } from '../model/limits.ts'
import type { DocumentRange } from './comparedUrls.sql.ts'
import { scanStatements } from './scan.sql.ts'
import type { Scan } from '../model/scanPlan.ts'

/** Parameters of the preparation. */
export interface ScanParts {
  store: Store
  world: Pick<World, 'clock'>
  job: number
  signal: AbortSignal
}

/** Prepares the list for the next run. */
export async function prepareScan(parts: ScanParts, scan: Scan): Promise<void> {
  const sql = scanStatements(parts.store)
  sql.forgetRules.run({ job: parts.job })
  await overAll(parts, sql.scans[scan])
}

/** Counts the documents that wait. */
export function waitingIn(store: Store, job: number): number {
  return scanStatements(store).waiting.get({ job })?.count ?? 0
}

/** Counts the documents that were excluded. */
export function excludedIn(store: Store, job: number): number {
  return scanStatements(store).excluded.get({ job })?.count ?? 0
}

/** Prepares the list for the deletion of the job. */
export async function prepareDeletion(parts: ScanParts): Promise<void> {
  await overAll(parts, scanStatements(parts.store).deletion)
}

async function overAll(
  { store, world, job, signal }: ScanParts,
  statements: { run(range: DocumentRange): number }[],
): Promise<void> {
  const sql = scanStatements(store)
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const to = sql.nextTo.get({ job, after, limit: scannedCountMax })?.id ?? null
    if (to === null) return
    store.transaction(() => {
      for (const statement of statements) statement.run({ job, from: after + 1, to })
    })
    after = to
    // Lets others use the database and this thread.
    await world.clock.sleep(0, signal)
  }
}
