/** Runs a check: reads every pending copy, replica by replica, a few files at a time. `settleItems.ts` records the results. */
import type { CheckKind } from '../../contract/shapes/taskKinds.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { observedCopyStatements } from '../copies/observedCopy.sql.ts'
import { bytesOf } from '../copies/recordObservation.ts'
import type { Seen } from '../copies/verdict.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import { checkBatchCount, checkThreadsMax } from '../files/limits.ts'
import { nameMatcher } from '../files/matcher.ts'
import { paceOf } from '../files/readThrough.ts'
import { limited } from '../replica/limited.ts'
import type { Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import type { CheckActions } from './checkActions.ts'
import type { ItemRow, PreservationStatements } from './preservation.sql.ts'
import type { RunningCheck } from './runningCheck.ts'
import { itemSettling, type CopyItem, type ItemSettling } from './settleItems.ts'

interface CheckRunnerParts {
  archive: Archive
  store: Store
  world: World
  statements: PreservationStatements
  actions: CheckActions
}

/** Part of a check: the copies in one replica. */
interface Pass {
  check: RunningCheck
  replica: Replica
}

/** Creates the function that checks the copies in the replicas of a check. It resolves with the reasons why replicas could not be checked; the
 *  copies of an unusable replica stay pending. It rejects with the signal's reason when stopped. */
export function checkRunner(parts: CheckRunnerParts) {
  const { archive, world } = parts
  const settle = itemSettling({ ...parts, clock: world.clock })
  const pass = copiesPass(parts, settle)
  const listSurplus = surplusPass(parts, settle)

  return async (check: RunningCheck): Promise<Message[]> => {
    const problems: Message[] = []
    for (const name of check.replicas) {
      const replica = archive.places.find((place) => place.name === name)
      const problem = replica ? await whole({ check, replica }) : message('replica.left', { replica: name })
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  }

  async function whole(of: Pass): Promise<Message | undefined> {
    return (await of.replica.problem()) ?? (await pass(of)) ?? (await listSurplus(of))
  }
}

/** Creates the function that checks every pending copy of one replica. It resolves with the reason when the replica became unavailable;
 *  otherwise with undefined. */
function copiesPass({ archive, store, world, statements }: CheckRunnerParts, settle: ItemSettling) {
  const { clock } = world
  const readCopy = copyReader(store)
  const nextOf = pendingItems(statements)

  return async ({ check, replica }: Pass): Promise<Message | undefined> => {
    const { signal } = check
    const next = nextOf(check.id, replica.name)
    const bytesPerSecondMax = paceOf(archive.limits, check.by)
    const slow = limited(replica, clock, { bytesPerSecondMax, operationsAtOnceMax: checkThreadsMax })
    const isRead = check.kind === 'checksums' && replica.kind === 'files'
    let lost: Message | undefined

    async function checkItem(item: ItemRow): Promise<void> {
      if (!isOfCopy(item)) {
        settle.notStored(check, item)
        // Nothing is read for such an item, so yield to other work explicitly.
        if (item.id % checkBatchCount === 0) await clock.sleep(0)
        return
      }
      const seen = await readCopy(check.kind, slow, item, signal)
      // When a replica becomes unavailable during the check its copies are not lost; they stay pending.
      const unusable = bytesOf(seen) === null ? await replica.problem() : undefined
      lost ??= unusable
      if (lost !== undefined) return
      settle.copy(check, { item, seen, bytesRead: isRead ? item.bytes : 0 })
    }

    async function lane(): Promise<void> {
      for (let item = next(); item && lost === undefined; item = next()) {
        signal.throwIfAborted()
        await checkItem(item)
      }
    }

    await allOf(Array.from({ length: checkThreadsMax }, lane))
    return lost
  }
}

/** Creates the function that returns the pending items of one replica one by one, fetched from the database in batches. */
function pendingItems(statements: PreservationStatements) {
  return (check: number, replica: string): (() => ItemRow | undefined) => {
    let batch: ItemRow[] = []
    let after = 0
    return () => {
      if (batch.length === 0) batch = statements.pending.all({ check, replica, after, limit: checkBatchCount })
      const item = batch.shift()
      after = item?.id ?? after
      return item
    }
  }
}

/** Creates the function that checks one copy. Faults of the disk are results; rejects with the signal's reason when stopped. */
function copyReader(store: Store) {
  const copies = observedCopyStatements(store)
  /** Whether the copy was missing before. A copy that is back must be read, since its length alone proves nothing. */
  const cameBack = ({ copyId }: CopyItem) => copies.stateOf.get({ id: copyId })?.state === 'MISSING'

  return async (kind: CheckKind, replica: Replica, item: CopyItem, signal: AbortSignal): Promise<Seen> => {
    try {
      if (kind === 'checksums' || cameBack(item)) {
        const found = await replica.checksum(item.name, { signal })
        // A replica of checksums stores no lengths; a matching checksum implies the length.
        return found ? { kind: 'hashed', sha256: found.sha256, bytes: found.bytes ?? item.bytes } : { kind: 'absent' }
      }
      const found = await replica.stat(item.name)
      return found ? { kind: 'present', bytes: found.bytes ?? item.bytes } : { kind: 'absent' }
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      return { kind: 'unreadable', message: reasonIn(error) }
    }
  }
}

/** Creates the function that records files in a replica that are not in the catalogue. It resolves with the reason when the replica
 *  could not be listed. Skipped for samples, which do not cover other files. */
function surplusPass({ archive, world }: CheckRunnerParts, settle: ItemSettling) {
  return async ({ check, replica }: Pass): Promise<Message | undefined> => {
    if (check.kind !== 'missing' || check.sample !== null) return undefined
    const chosenOf = nameMatcher(world, check.pattern)
    const isWhole = check.pattern === null
    const listing = archive.unregistered.listing(replica.name, isWhole)
    try {
      for await (const page of replica.list()) {
        const chosen = await chosenOf(page)
        listing.add(chosen)
        settle.surplus(
          check,
          replica.name,
          chosen.map(({ name }) => name),
        )
      }
      if (isWhole) listing.end()
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      return message('replica.unlisted', { replica: replica.name, reason: reasonIn(error) })
    }
    return undefined
  }
}

function isOfCopy(item: ItemRow): item is CopyItem {
  return item.copyId !== null
}

/** Waits for all promises, even when one fails, so that none continues after the caller has returned. */
async function allOf(works: Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason
}
