/** The looking of a check: every copy of every replica it still has to look at, one replica after the other, a few files
 *  at a time. What becomes of the check is `preservation.ts`'s business. */
import { preservationStates } from '../contract/states.ts'
import { mover } from '../storage/guard.ts'
import type { Store } from '../storage/storage.ts'
import { DiskFault, type World } from '../world/world.ts'
import type { Archive } from './archive.ts'
import { hashFile } from './hashing.ts'
import { checkBatchCount, checkThreadsMax } from './limits.ts'
import { matcher } from './matcher.ts'
import type { CheckKind, CheckRow, ItemRow, PreservationStatements } from './preservation.sql.ts'
import { nowAndThen } from './readThrough.ts'
import type { ReplicaFolder } from './replicaFolder.ts'
import { verdictOn, type Seen } from './verdict.ts'

interface LookerParts {
  archive: Archive
  store: Store
  world: World
  statements: PreservationStatements
  /** Called now and then while copies are being settled. */
  onLooked: (check: number) => void
}

export function looker({ archive, store, world, statements, onLooked }: LookerParts) {
  const moveCopy = mover(store, preservationStates, { table: 'replica_file', column: 'preservation_state' })

  /** Gives why replicas could not be looked at: one that cannot be used leaves its copies unsettled. Rejects with the
   *  signal's reason when it was stopped. */
  return async function lookAt(check: CheckRow, replicas: readonly string[], signal: AbortSignal): Promise<string[]> {
    const problems: string[] = []
    for (const replica of replicas) {
      const problem = await pass(check, replica, signal)
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  }

  /** Looks at every copy of one replica that is still to be looked at. Gives why it could not. */
  async function pass(check: CheckRow, replica: string, signal: AbortSignal): Promise<string | undefined> {
    const place = archive.places.find(({ name }) => name === replica)
    if (!place) return `replica ${replica} is no longer in the settings`
    const unusable = await place.problem()
    if (unusable !== undefined) return unusable
    const next = itemsOf(check.id, replica)
    const progress = nowAndThen(world.clock, onLooked)
    let lost: string | undefined
    const lane = async () => {
      for (let item = next(); item && lost === undefined; item = next()) {
        signal.throwIfAborted()
        const seen = await look(check.kind, place, item, signal)
        // A replica that went away during the check has lost nothing: its copies stay to be looked at.
        const unusableNow = bytesOf(seen) === null ? await place.problem() : undefined
        lost = lost ?? unusableNow
        if (lost === undefined) settle(check, item, seen)
        progress(check.id)
      }
    }
    await allOf(Array.from({ length: checkThreadsMax }, lane))
    return lost ?? (await noteSurplus(check, place))
  }

  /** The items of one replica, one at each call, read from the database some at a time. */
  function itemsOf(check: number, replica: string): () => ItemRow | undefined {
    let batch: ItemRow[] = []
    let after = 0
    return () => {
      if (batch.length === 0) batch = statements.pending.all({ check, replica, after, limit: checkBatchCount })
      const item = batch.shift()
      after = item?.id ?? after
      return item
    }
  }

  async function look(kind: CheckKind, place: ReplicaFolder, item: ItemRow, signal: AbortSignal): Promise<Seen> {
    const path = place.pathOf(item.name)
    try {
      if (kind === 'checksums') {
        const bytesPerSecondMax = archive.limits.checkBytesPerSecondMax / checkThreadsMax
        return { kind: 'hashed', ...(await hashFile(world, { path, bytesPerSecondMax }, { signal })) }
      }
      const found = await world.disk.stat(path)
      if (!found) return { kind: 'absent' }
      if (found.kind === 'folder') return { kind: 'unreadable', text: 'it is a folder' }
      return { kind: 'present', bytes: found.bytes }
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      return error.code === 'absent' ? { kind: 'absent' } : { kind: 'unreadable', text: error.message }
    }
  }

  function settle(check: CheckRow, item: ItemRow, seen: Seen): void {
    const { event, problem } = verdictOn(item, seen)
    const nowMs = world.clock.now()
    const hashed = seen.kind === 'hashed' ? seen : undefined
    store.transaction(() => {
      statements.settleItem.run({
        id: item.id,
        nowMs,
        finding: problem?.finding ?? null,
        expected: problem?.expected ?? null,
        found: problem?.found ?? null,
      })
      statements.noteCopy.run({
        id: item.copyId,
        nowMs,
        verifiedMs: hashed ? nowMs : null,
        sha256: hashed?.sha256 ?? null,
        bytes: bytesOf(seen),
      })
      // The table has no move where the look says nothing new: verified stays verified, and a damaged copy that is there
      // stays damaged until its checksum agrees.
      moveCopy(item.copyId, event)
      statements.count.run({
        check: check.id,
        files: 1,
        bytes: check.kind === 'checksums' ? item.bytes : 0,
        findings: problem ? 1 : 0,
      })
    })
  }

  /** What lies in the folder and is not in the catalogue. A sample says nothing of the other files, so it is not asked. */
  async function noteSurplus(check: CheckRow, place: ReplicaFolder): Promise<string | undefined> {
    if (check.kind !== 'missing' || check.sample !== null) return undefined
    const matches = matcher(check.filesPattern)
    const listed = await place.list().catch((error: unknown) => {
      if (!(error instanceof DiskFault)) throw error
      return `replica ${place.name} cannot be listed: ${error.message}`
    })
    if (typeof listed === 'string') return listed
    store.transaction(() => {
      for (const name of listed.filter((file) => matches(file) && !statements.isCatalogued.get({ name: file }))) {
        const findings = statements.addSurplus.run({
          check: check.id,
          replica: place.name,
          name,
          nowMs: world.clock.now(),
        })
        statements.count.run({ check: check.id, files: 0, bytes: 0, findings })
      }
    })
    return undefined
  }
}

/** How long the copy is; null when nobody could tell. */
function bytesOf(seen: Seen): number | null {
  return 'bytes' in seen ? seen.bytes : null
}

/** Waits for all of them, also when one fails, so that none works on behind the caller's back. */
async function allOf(works: Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason
}
