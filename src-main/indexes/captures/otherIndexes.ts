/** Searches the existing databases for captures of a URL outside the view. A job without a database gets one, one job at a
 *  time; callers wait at most `otherCapturesMsMax` and find its captures when they ask again. No archive file or line file is
 *  read for a request. */
import { join } from 'node:path'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { openDerived, StorageFault } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { wholeIndexOver } from './captureIndex.ts'
import { captureSchema } from './captureIndex.sql.ts'
import { otherCapturesMax, otherDatabasesMax, otherCapturesMsMax } from '../model/limits.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { keptAt, type Kept } from './manifest.ts'

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
  folder: string
  world: World
  /** Names of the current content files of a source. */
  filesOf: (source: Source) => string[]
  /** Builds the database of a source that has none. Rejects if that is not possible, and when the indexes are closed. */
  make: (source: Source) => Promise<void>
}

interface Database {
  path: string
  kept: Kept
  /** Files in the database, and those that could not be read when it was built. */
  names: ReadonlySet<string>
}

/** Returns a function that searches. */
export function openOtherIndexes({
  folder,
  world,
  filesOf,
  make,
}: Parts): (asked: OtherCapturesAsked) => Promise<FoundCaptures> {
  /** Databases by name; a database never changes under one name. */
  const known = new Map<string, Database | undefined>()
  let making: Promise<void> | undefined

  async function databases(): Promise<Database[]> {
    const names = (await world.disk.list(folder)).map(({ name }) => name).filter((name) => name.endsWith('.db'))
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
    for (const name of names) if (!known.has(name)) known.set(name, await databaseAt(join(folder, name)))
    const found = names.flatMap((name) => known.get(name) ?? [])
    return found.toSorted((a, b) => b.kept.manifest.files.length - a.kept.manifest.files.length)
  }

  async function databaseAt(path: string): Promise<Database | undefined> {
    const kept = await keptAt(path, world.disk)
    if (kept === undefined) return undefined
    const { files, filesMissing } = kept.manifest
    return { path, kept, names: new Set([...files, ...filesMissing].map(({ name }) => name)) }
  }

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
      const found = capturesIn(database, world, { url, sources: wanted })
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

/** Captures in one database. Undefined: it is damaged or was removed. */
function capturesIn(
  { path, kept }: Database,
  world: World,
  { url, sources }: OtherCapturesAsked,
): IndexedCapture[] | undefined {
  try {
    const index = wholeIndexOver(openDerived(path, captureSchema), { kept, world })
    try {
      return index.newestOf(url, { jobs: sources, limit: otherCapturesMax })
    } finally {
      index.close()
    }
  } catch (error) {
    if (error instanceof StorageFault) return undefined
    throw error
  }
}
