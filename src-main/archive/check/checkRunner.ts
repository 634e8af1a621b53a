/** Runs a check: reads every pending copy, replica by replica, a few files at a time. `preservation.ts` manages the state of the
 *  check. */
import type { Store } from '../../storage/storage.ts'
import { stopwatch } from '../../world/stopwatch.ts'
import { DiskFault, type Clock, type World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import type { CheckActions } from './checkActions.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { checkBatchCount, checkThreadsMax } from '../files/limits.ts'
import { nameMatcher } from '../files/matcher.ts'
import { bytesOf, copyRecorder } from '../copies/recordObservation.ts'
import { observedCopyStatements } from '../copies/observedCopy.sql.ts'
import type { CheckKind, CheckRow, ItemRow, PreservationStatements } from './preservation.sql.ts'
import { nowAndThen, paceOf } from '../files/readThrough.ts'
import { replicaEvents, type Looking } from '../copies/replicaEvents.ts'
import { limited } from '../replica/limited.ts'
import type { Replica } from '../replica/replica.ts'
import type { Seen } from '../copies/verdict.ts'

interface CheckRunnerParts {
  archive: Archive
  store: Store
  world: World
  statements: PreservationStatements
  actions: CheckActions
  /** Called from time to time while results are recorded. */
  onProgressMade: (check: number) => void
}

export function checkRunner({ archive, store, world, statements, actions, onProgressMade }: CheckRunnerParts) {
  const recordCopy = copyRecorder(store)
  const copies = observedCopyStatements(store)
  const events = replicaEvents(store)

  /** Checks the copies in these replicas and returns the reasons why replicas could not be checked. The copies of an unusable replica
   *  stay pending. Rejects with the signal's reason when stopped. */
  return async function lookAt(check: CheckRow, replicas: readonly string[], signal: AbortSignal): Promise<string[]> {
    const problems: string[] = []
    const lapMs = laps(world.clock)
    for (const replica of replicas) {
      const problem = await pass(check, replica, lapMs, signal)
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  }

  /** Checks every pending copy of one replica. Returns the reason when it could not; otherwise undefined. */
  async function pass(
    check: CheckRow,
    replica: string,
    lapMs: () => number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const place = archive.places.find(({ name }) => name === replica)
    if (!place) return `replica ${replica} is no longer in the settings`
    const unusable = await place.problem()
    if (unusable !== undefined) return unusable
    const next = itemsOf(check.id, replica)
    const slow = limited(place, world.clock, {
      bytesPerSecondMax: paceOf(archive.limits, check.begunBy),
      operationsAtOnceMax: checkThreadsMax,
    })
    const progress = nowAndThen(world.clock, onProgressMade)
    let lost: string | undefined
    const lane = async () => {
      for (let item = next(); item && lost === undefined; item = next()) {
        signal.throwIfAborted()
        if (!isOfCopy(item)) {
          settleNotStored(check, item, lapMs)
          progress(check.id)
          // Nothing is read for such an item, so yield to other work explicitly.
          if (item.id % checkBatchCount === 0) await world.clock.sleep(0)
          continue
        }
        const seen = await look(check.kind, slow, item, signal)
        // When a replica becomes unavailable during the check its copies are not lost; they stay pending.
        const unusableNow = bytesOf(seen) === null ? await place.problem() : undefined
        lost = lost ?? unusableNow
        if (lost === undefined) settle(check, item, seen, { holdsFiles: place.kind === 'files', lapMs })
        progress(check.id)
      }
    }
    await allOf(Array.from({ length: checkThreadsMax }, lane))
    return lost ?? (await noteSurplus(check, place, lapMs))
  }

  /** Returns the pending items of one replica one by one, fetched from the database in batches. */
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

  /** Whether the copy was missing before. A copy that is back must be read, since its length alone proves nothing. */
  function cameBack({ copyId }: CopyItem): boolean {
    return copies.stateOf.get({ id: copyId })?.state === 'MISSING'
  }

  async function look(kind: CheckKind, replica: Replica, item: CopyItem, signal: AbortSignal): Promise<Seen> {
    try {
      if (kind === 'checksums' || cameBack(item)) {
        const found = await replica.checksum(item.name, { signal })
        // A replica of checksums stores no lengths; a matching checksum implies the length.
        return found ? { kind: 'hashed', sha256: found.sha256, bytes: found.bytes ?? item.bytes } : { kind: 'absent' }
      }
      const found = await replica.stat(item.name)
      return found ? { kind: 'present', bytes: found.bytes ?? item.bytes } : { kind: 'absent' }
    } catch (error) {
      if (error instanceof DiskFault || error instanceof ArchiveFault)
        return { kind: 'unreadable', text: error.message }
      throw error
    }
  }

  function settle(
    check: CheckRow,
    item: CopyItem,
    seen: Seen,
    { holdsFiles, lapMs }: { holdsFiles: boolean; lapMs: () => number },
  ): void {
    const nowMs = world.clock.now()
    store.transaction(() => {
      const { was, became, problem } = recordCopy({ copy: item.copyId, file: item, seen }, nowMs)
      statements.settleItem.run({
        id: item.id,
        nowMs,
        finding: problem?.finding ?? null,
        expected: problem?.expected ?? null,
        found: problem?.found ?? null,
      })
      if (became !== undefined) actions.moved(check, { ...item, was, became, problem }, nowMs)
      statements.count.run({
        check: check.id,
        files: 1,
        bytes: check.kind === 'checksums' && holdsFiles ? item.bytes : 0,
        findings: problem ? 1 : 0,
        runningMs: lapMs(),
      })
      events.count(lookingAt(check, item.replica), { files: 1, findings: problem ? 1 : 0 }, nowMs)
    })
  }

  /** Settles the item of a file that was not stored in the replica when the check began. A file stored meanwhile was read back by its
   *  store. */
  function settleNotStored(check: CheckRow, { id, replica, name }: ItemRow, lapMs: () => number): void {
    const nowMs = world.clock.now()
    const finding = statements.storedIn.get({ replica, name }) ? null : 'notStored'
    const findings = finding === null ? 0 : 1
    store.transaction(() => {
      const isNews = finding && !statements.wasFound.get({ check: check.id, replica, name, finding })
      statements.settleItem.run({ id, nowMs, finding, expected: null, found: null })
      statements.count.run({ check: check.id, files: 1, bytes: 0, findings, runningMs: lapMs() })
      events.count(lookingAt(check, replica), { files: 1, findings }, nowMs)
      if (isNews) actions.found(check, { replica, name, finding }, nowMs)
    })
  }

  /** Records files in the folder that are not in the catalogue. Skipped for samples, which say nothing about other files. */
  async function noteSurplus(check: CheckRow, place: Replica, lapMs: () => number): Promise<string | undefined> {
    if (check.kind !== 'missing' || check.sample !== null) return undefined
    const meant = nameMatcher(world, check.filesPattern)
    const listing = archive.unregistered.listing(place.name, check.filesPattern === null)
    try {
      for await (const page of place.list()) {
        const chosen = await meant(page)
        listing.add(chosen)
        store.transaction(() => chosen.forEach(({ name }) => noteIfSurplus(check, place.name, name)))
      }
      if (check.filesPattern === null) listing.end()
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      return `replica ${place.name} cannot be listed: ${error.message}`
    } finally {
      statements.count.run({ check: check.id, files: 0, bytes: 0, findings: 0, runningMs: lapMs() })
    }
    return undefined
  }

  function noteIfSurplus(check: CheckRow, replica: string, name: string): void {
    if (statements.isCatalogued.get({ name })) return
    const nowMs = world.clock.now()
    const findings = statements.addSurplus.run({ check: check.id, replica, name, nowMs })
    statements.count.run({ check: check.id, files: 0, bytes: 0, findings, runningMs: 0 })
    events.count(lookingAt(check, replica), { files: 0, findings }, nowMs)
    const finding = 'surplus'
    const isNews = !statements.wasFound.get({ check: check.id, replica, name, finding })
    if (findings > 0 && isNews) actions.found(check, { replica, name, finding }, nowMs)
  }
}

/** Item of a file that was stored in the replica when the check began. */
type CopyItem = ItemRow & { copyId: number }

function isOfCopy(item: ItemRow): item is CopyItem {
  return item.copyId !== null
}

function lookingAt({ kind, id }: CheckRow, replica: string): Looking {
  return { replica, kind, number: id }
}

/** Creates a function that returns the milliseconds since its previous call. */
function laps(clock: Clock): () => number {
  const elapsedMs = stopwatch(clock)
  let lastMs = 0
  return () => {
    const sinceMs = elapsedMs() - lastMs
    lastMs += sinceMs
    return sinceMs
  }
}

/** Waits for all promises, even when one fails, so that none continues after the caller has returned. */
async function allOf(works: Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason
}
