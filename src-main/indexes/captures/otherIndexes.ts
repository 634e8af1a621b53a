/** Searches the existing databases for captures of a URL outside the view. A job without a database gets one, one job at a
 *  time; callers wait at most `otherCapturesMsMax` and find its captures when they ask again. No archive file or line file is
 *  read for a request. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { World } from '../../world/world.ts'
import { otherCapturesMax, otherDatabasesMax, otherCapturesMsMax } from '../model/limits.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { readDatabase, type KeptDatabase } from './keptDatabases.ts'

/** A job, possibly a deleted one, or null for the files without a job. */
export type Source = number | null

/** A search for a URL in given sources. */
export interface OtherCapturesAsked {
  url: string
  /** Sources to search, most important first. */
  sources: readonly Source[]
}

/** Results of a search. */
export interface FoundCaptures {
  /** Captures, newest first. */
  captures: IndexedCapture[]
  /** Sources that could not be searched yet. */
  notSearched: Source[]
}

interface Parts {
  world: World
  databases: () => Promise<KeptDatabase[]>
  /** Names of the current content files of a source. */
  filesOf: (source: Source) => string[]
  /** Builds the database of a source that has none. Rejects if that is not possible, and when the indexes are closed. */
  make: (source: Source) => Promise<void>
}

/** Returns a function that searches. */
export function openOtherIndexes({
  world,
  databases,
  filesOf,
  make,
}: Parts): (asked: OtherCapturesAsked) => Promise<FoundCaptures> {
  let making: Promise<void> | undefined

  async function lookedUp({ url, sources }: OtherCapturesAsked): Promise<FoundCaptures> {
    /** Sources that are still to be searched, with their files. */
    const left = new Map<Source, string[]>()
    for (const source of sources) {
      const names = filesOf(source)
      if (names.length > 0) left.set(source, names)
    }
    const captures: IndexedCapture[] = []
    let looked = 0
    for (const database of await databases()) {
      // A running job or import may have added files since.
      const wanted = [...left].flatMap(([source, names]) =>
        names.every((name) => database.names.has(name)) ? [source] : [],
      )
      if (wanted.length === 0 || looked++ >= otherDatabasesMax) continue
      const among = { jobs: wanted, limit: otherCapturesMax }
      const found = await readDatabase(database, world, (index) => index.newestOf(url, among))
      if (found === undefined) continue
      captures.push(...found)
      for (const source of wanted) left.delete(source)
    }
    captures.sort((a, b) => b.timestampMs - a.timestampMs)
    return { captures: captures.slice(0, otherCapturesMax), notSearched: [...left.keys()] }
  }

  /** Builds one database at a time. */
  function made(source: Source): Promise<void> {
    making ??= make(source)
      .catch((error: unknown) => {
        // A later call reports it as not searched.
        if (!(error instanceof Fault)) throw error
      })
      .finally(() => (making = undefined))
    return making
  }

  return async (asked) => {
    const found = await lookedUp(asked)
    const [first] = found.notSearched
    if (first === undefined) return found
    const enough = new AbortController()
    const waited = sleepUnlessAborted(world.clock, otherCapturesMsMax, enough.signal)
    await Promise.race([made(first), waited])
    enough.abort()
    return lookedUp(asked)
  }
}
