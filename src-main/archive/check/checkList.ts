/** The list of what a check has to look at: written down when it begins, so that a stopped or killed check goes on at the copy
 *  where it stopped; taken away when it is done, except for what was found. Both are done in steps between which others get
 *  their turn, for a list may have millions of lines. A list that a kill left incomplete is written again. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { checkListStatements } from './checkList.sql.ts'
import { checkListStepCount } from '../files/limits.ts'
import { nameMatcher } from '../files/matcher.ts'
import type { CheckRow } from './preservation.sql.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import type { ReplicaEvents } from '../copies/replicaEvents.ts'
import { sampleOf } from './sample.ts'

export interface CheckListParts {
  store: Store
  world: World
  events: ReplicaEvents
  /** Which replicas hold bytes; one of checksums has none to be read. */
  places: readonly Pick<ReplicaPlace, 'name' | 'kind'>[]
}

export interface Candidate {
  id: number
  name: string
}

export function checkLists({ store, world, events, places }: CheckListParts) {
  const holders = places.filter(({ kind = 'files' }) => kind === 'files').map(({ name }) => name)
  const statements = checkListStatements(store)

  /** The registered files whose names match, a step at a time: every replica should hold each of them. `storedIn`: only those that
   *  one of these replicas has got. */
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

  async function chosenIds(check: CheckRow, signal: AbortSignal): Promise<number[]> {
    const ids: number[] = []
    for await (const page of candidates(check.filesPattern)) {
      signal.throwIfAborted()
      for (const { id } of page) ids.push(id)
    }
    return check.sample === null ? ids : sampleOf(world.chance, ids, check.sample)
  }

  return {
    candidates,
    /** The bytes of the copies of these files that a check of the checksums reads. */
    bytesToRead(replicas: readonly string[], files: readonly number[]): number {
      const read = replicas.filter((name) => holders.includes(name))
      const sum = statements.bytesOf.get({ replicas: JSON.stringify(read), files: JSON.stringify(files) })
      if (!sum) throw new Error('a sum gave no row')
      return sum.bytes
    },
    /** One replica after the other, as the check goes through them. Rejects with the signal's reason when it was stopped. */
    async write(check: CheckRow, replicas: readonly string[], signal: AbortSignal): Promise<void> {
      await removeUnfound(check.id, signal)
      statements.beginList.run({ check: check.id })
      const ids = await chosenIds(check, signal)
      for (const replica of replicas) {
        const isRead = holders.includes(replica) ? 1 : 0
        let filesTotal = 0
        for (let at = 0; at < ids.length; at += checkListStepCount) {
          signal.throwIfAborted()
          const files = JSON.stringify(ids.slice(at, at + checkListStepCount))
          store.transaction(() => {
            const added = statements.addItems.run({ check: check.id, replica, files })
            statements.addTotals.run({ check: check.id, replica, files, added, isRead })
            filesTotal += added
            events.plan({ replica, kind: check.kind, number: check.id }, filesTotal)
          })
          if (at + checkListStepCount < ids.length) await world.clock.sleep(0)
        }
      }
    },
    /** Takes away all of the list but what was found. */
    clear,
    /** Those that are done and have a list yet. */
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
