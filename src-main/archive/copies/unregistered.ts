/** Files that lie in the replicas and that the catalogue does not know: those of a later state of this archive after the database was
 *  restored or lost, and those that someone put there by hand. The list is made by comparing all names in a replica with the
 *  catalogue; no file is read. Nothing is done about them here: that is recovery, or the user. */
import { join } from 'node:path'
import type { SurplusFile } from '../../contract/services/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { findingsCountMax } from '../files/limits.ts'
import type { Held, Replica } from '../replica/replica.ts'
import { unregisteredStatements, type UnregisteredRow } from './unregistered.sql.ts'

/** All names of one replica, given page after page. */
export interface Listing {
  add(files: readonly Held[]): void
  /** Every name was given: what is on the list and was not among them is no longer there. */
  end(): void
}

export interface Unregistered {
  /** Compares all names in every replica with the catalogue. Gives, for each replica that could not be listed, why. */
  compare(signal: AbortSignal): Promise<{ replica: string; problem: string }[]>
  /** Whether a replica was never compared with this database. */
  isUnknown(): boolean
  /** For callers that list a replica anyway. `isWhole`: false when only some of its names are given. */
  listing(replica: string, isWhole: boolean): Listing
  /** Of the replicas in the settings, the first `findingsCountMax`. */
  files(): SurplusFile[]
  /** How many there are in all replicas, counted once for each replica. */
  count(): number
  /** Each name once, in order, from the one after `after`. */
  names(after: string, limit: number): string[]
  /** Where a file of this very name lies. */
  placesOf(name: string): UnregisteredRow[]
}

export interface UnregisteredParts {
  store: Store
  world: World
  replicas: readonly Replica[]
}

export function openUnregistered({ store, world, replicas }: UnregisteredParts): Unregistered {
  const sql = unregisteredStatements(store)
  const names = JSON.stringify(replicas.map(({ name }) => name))

  function listing(replica: string, isWhole: boolean): Listing {
    const number = isWhole ? sql.beginListing.get({ replica })?.listing : (sql.listing.get({ replica })?.listing ?? 0)
    if (number === undefined) throw new Error(`the listing of ${replica} got no number`)
    return {
      add: (files) =>
        void sql.add.run({ replica, files: JSON.stringify(files), nowMs: world.clock.now(), listing: number }),
      end: () =>
        store.transaction(() => {
          sql.removeUnseen.run({ replica, listing: number })
          sql.endListing.run({ replica, nowMs: world.clock.now() })
        }),
    }
  }

  async function compareOne(replica: Replica, signal: AbortSignal): Promise<string | undefined> {
    const unusable = await replica.problem()
    if (unusable !== undefined) return unusable
    try {
      const { add, end } = listing(replica.name, true)
      for await (const page of replica.list()) {
        signal.throwIfAborted()
        add(page)
      }
      end()
      return undefined
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      return `replica ${replica.name} cannot be listed: ${error.message}`
    }
  }

  function pathIn(replicaName: string, name: string): string {
    const replica = replicas.find((each) => each.name === replicaName)
    // A replica of checksums has a line about the file, and not the file.
    return replica?.pathOf(name) ?? replica?.folder ?? join(replicaName, name)
  }

  return {
    listing,
    async compare(signal) {
      const problems: { replica: string; problem: string }[] = []
      for (const replica of replicas) {
        const problem = await compareOne(replica, signal)
        if (problem !== undefined) problems.push({ replica: replica.name, problem })
      }
      return problems
    },
    isUnknown: () => replicas.some(({ name }) => (sql.listing.get({ replica: name })?.listedMs ?? null) === null),
    files: () =>
      sql.ofReplicas.all({ replicas: names, limit: findingsCountMax }).map(({ replica, name, bytes, foundMs }) => ({
        replica,
        name,
        bytes,
        path: pathIn(replica, name),
        at: new Date(foundMs).toISOString(),
      })),
    count: () => sql.count.get({ replicas: names })?.total ?? 0,
    names: (after, limit) => sql.namesAfter.all({ replicas: names, after, limit }).map(({ name }) => name),
    placesOf: (name) => sql.named.all({ replicas: names, name }),
  }
}
