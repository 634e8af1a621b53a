/** The list of items of a check: written when the check starts, so that a stopped or interrupted check continues at the same copy, and
 *  removed when it has ended, except for the findings. A list may have millions of items, so both are done in steps that let other
 *  work run in between. A list left incomplete by a crash is written again. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { checkListStatements } from './checkList.sql.ts'
import { checkListStepCount } from '../files/limits.ts'
import { nameMatcher } from '../files/matcher.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import type { ReplicaEvents } from '../copies/replicaEvents.ts'
import type { RunningCheck } from './runningCheck.ts'
import { sampleOf } from './sample.ts'

export interface CheckListParts {
  store: Store
  world: World
  events: ReplicaEvents
  /** The replicas and their kinds; a replica of checksums has no bytes to read. */
  places: readonly Pick<ReplicaPlace, 'name' | 'kind'>[]
}

export interface Candidate {
  id: number
  name: string
}

/** Opens the lists of checks. Writing and clearing a list yield to other work after each `checkListStepCount` items. */
export function checkLists({ store, world, events, places }: CheckListParts) {
  const holders = places.filter(({ kind = 'files' }) => kind === 'files').map(({ name }) => name)
  const statements = checkListStatements(store)

  /** Registered files whose names match, in pages: every replica should hold each of them. `storedIn`: only files stored in one of
   *  these replicas. */
  async function* candidates(pattern: string | null, storedIn?: readonly string[]): AsyncGenerator<Candidate[]> {
    const replicas = storedIn ? JSON.stringify(storedIn) : null
    const chosen = nameMatcher(world, pattern)
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: Candidate[] = statements.candidates.all({ replicas, after, limit: checkListStepCount })
      yield await chosen(page)
      after = page.length < checkListStepCount ? undefined : page.at(-1)?.id
      if (after !== undefined) await world.clock.sleep(0)
    }
  }

  async function chosenIds({ pattern, sample, signal }: RunningCheck): Promise<number[]> {
    const ids: number[] = []
    for await (const page of candidates(pattern)) {
      signal.throwIfAborted()
      for (const { id } of page) ids.push(id)
    }
    return sample === null ? ids : sampleOf(world.chance, ids, sample)
  }

  /** Number of bytes of these files' copies that a checksum check reads. */
  function bytesToRead(replicas: readonly string[], files: readonly number[]): number {
    const read = replicas.filter((name) => holders.includes(name))
    const sum = statements.bytesOf.get({ replicas: JSON.stringify(read), files: JSON.stringify(files) })
    if (!sum) throw new Error('a sum gave no row')
    return sum.bytes
  }

  return {
    candidates,
    bytesToRead,
    /** Writes the list, replica by replica in the order of the check. Rejects with the signal's reason when stopped. */
    async write(check: RunningCheck): Promise<void> {
      const { id, kind, replicas, signal } = check
      await removeUnfound(id, signal)
      check.forgetTotals()
      const ids = await chosenIds(check)
      for (const replica of replicas) {
        let filesTotal = 0
        for (let at = 0; at < ids.length; at += checkListStepCount) {
          signal.throwIfAborted()
          const files = ids.slice(at, at + checkListStepCount)
          check.record(() => {
            const added = statements.addItems.run({ check: id, replica, files: JSON.stringify(files) })
            filesTotal += added
            events.plan({ replica, kind, number: id }, filesTotal)
            return { filesTotal: added, bytesTotal: kind === 'checksums' ? bytesToRead([replica], files) : 0 }
          })
          if (at + checkListStepCount < ids.length) await world.clock.sleep(0)
        }
      }
    },
    /** Removes the items of a check that have no finding. */
    clear,
    /** Checks that are completed and still have a list. */
    toClear: () => statements.toClear.all({}).map(({ id }) => id),
  }

  async function clear(check: number, signal: AbortSignal): Promise<void> {
    await removeUnfound(check, signal)
    statements.noteCleared.run({ check })
  }

  async function removeUnfound(check: number, signal: AbortSignal): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: { id: number; finding: string | null }[] = statements.listed.all({
        check,
        after,
        limit: checkListStepCount,
      })
      const ids = page.flatMap(({ id, finding }) => (finding === null ? [id] : []))
      statements.removeItems.run({ ids: JSON.stringify(ids) })
      after = page.length < checkListStepCount ? undefined : page.at(-1)?.id
      if (after !== undefined) await world.clock.sleep(0)
      signal.throwIfAborted()
    }
  }
}

export type CheckLists = ReturnType<typeof checkLists>
