/** Files in the replicas that the catalogue does not have: stored after the state to which the database was restored, or copied there
 *  by hand. Found by comparing all names in a replica with the catalogue; no file is read. Registering or removing them is up to
 *  recovery or the user. */
import { join } from 'node:path'
import type { SurplusFile } from '../../contract/services/archivedFiles.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import { findingsCountMax } from '../files/limits.ts'
import type { Held, Replica } from '../replica/replica.ts'
import { unregisteredStatements, type UnregisteredRow } from './unregistered.sql.ts'

/** Receives all names of one replica, page by page. */
export interface Listing {
  add(files: readonly Held[]): void
  /** Ends the listing: files on the list that were not among the names are removed from it. */
  end(): void
}

export interface Unregistered {
  /** Compares all names in every replica with the catalogue. Returns, for each replica that could not be listed, the reason. */
  compare(signal: AbortSignal): Promise<{ replica: string; problem: Message }[]>
  /** Whether any replica was never compared with this database. */
  isUnknown(): boolean
  /** Starts a listing for callers that list a replica for another purpose. `isWhole`: false when they pass only some of its names. */
  listing(replica: string, isWhole: boolean): Listing
  /** Unregistered files in the replicas of the settings, at most `findingsCountMax`. */
  files(): SurplusFile[]
  /** Number of unregistered files; a file in several replicas counts once for each. */
  count(): number
  /** Distinct names after `after`, in order. */
  names(after: string, limit: number): string[]
  /** The replicas that hold an unregistered file of exactly this name. */
  placesOf(name: string): UnregisteredRow[]
}

export interface UnregisteredParts {
  store: Store
  world: World
  replicas: readonly Replica[]
}

/** Opens the list of unregistered files, which a trigger keeps free of files that are registered meanwhile. */
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

  async function compareOne(replica: Replica, signal: AbortSignal): Promise<Message | undefined> {
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
      if (!isArchiveOrDiskFault(error)) throw error
      return message('replica.unlisted', { replica: replica.name, reason: reasonIn(error) })
    }
  }

  function pathIn(replicaName: string, name: string): string {
    const replica = replicas.find((each) => each.name === replicaName)
    // A replica of checksums has an entry for the file, not the file itself.
    return replica?.pathOf(name) ?? replica?.folder ?? join(replicaName, name)
  }

  return {
    listing,
    async compare(signal) {
      const problems: { replica: string; problem: Message }[] = []
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
