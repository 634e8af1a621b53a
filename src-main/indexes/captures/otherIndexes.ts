/** Which files that are not viewed have captures of an address, looked up in the databases that there are. A job that is in none
 *  of them gets one, a job at a time and while nobody waits for long: whoever asks again hears of it. No archive file and no list
 *  of lines is read through for a question. */
import { join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { openDerived, StorageFault } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { wholeIndexOver } from './captureIndex.ts'
import { captureSchema } from './captureIndex.sql.ts'
import { otherCapturesMax, otherDatabasesMax, otherCapturesMsMax } from '../model/limits.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { keptAt, type Kept } from './manifest.ts'

/** The files of a job, which may have been deleted; null: the files that belong to none. */
export type Source = number | null

export interface OtherCapturesAsked {
  url: string
  /** Whose captures are wanted, the most wanted first. */
  sources: readonly Source[]
}

export interface FoundCaptures {
  /** The newest first. */
  captures: IndexedCapture[]
  /** Of those that were asked for: into which nobody could look yet. */
  notSearched: Source[]
}

interface Parts {
  folder: string
  world: World
  /** The names of its content files now. */
  filesOf: (source: Source) => string[]
  /** Makes the database of one of them, when there is none. Rejects when that cannot be, and at the end of it all. */
  make: (source: Source) => Promise<void>
}

interface Database {
  path: string
  kept: Kept
  /** Of the files that are in it, or could not be had when it was made. */
  names: ReadonlySet<string>
}

export function openOtherIndexes({
  folder,
  world,
  filesOf,
  make,
}: Parts): (asked: OtherCapturesAsked) => Promise<FoundCaptures> {
  /** By name; a database never changes as long as it has its name. */
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
    /** What is still to be looked into, with its files. */
    const left = new Map<Source, string[]>()
    for (const source of sources) {
      const names = filesOf(source)
      if (names.length > 0) left.set(source, names)
    }
    const captures: IndexedCapture[] = []
    let looked = 0
    for (const database of await databases()) {
      // An import or a job under way may have given it files since.
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

  /** One at a time, whoever asks. */
  function made(source: Source): Promise<void> {
    making ??= make(source)
      .catch((error: unknown) => {
        // Whoever asks again hears that it was not looked into.
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
    const waited = world.clock.sleep(otherCapturesMsMax, enough.signal).catch((error: unknown) => {
      if (!enough.signal.aborted) throw error
    })
    await Promise.race([made(first), waited])
    enough.abort()
    return lookedUp(asked)
  }
}

/** Undefined: it is damaged, or went away meanwhile. */
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
