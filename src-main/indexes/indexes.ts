/** The floor's door: indexes that are derived from the archive. All of it may be deleted at any time; it is built again.
 *
 *  Two layers. For each archive file the CDXJ lines of its captures (`cdx/<job>/<file>.cdxj`), from the job's metadata
 *  where the harvester wrote them, else by reading the file. For each set of jobs a database made of them
 *  (`capture/<set>.<files>.db`). A file is written under a temporary name and renamed, so what has its name is whole, and
 *  being killed at any moment leaves at most temporary files, which the next start removes. */
import { basename, join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import { Fault } from '../contract/faults.ts'
import { openDerived, type Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { affectedBy, type Affected } from './affected.ts'
import { captureIndexOver, wholeIndexOver, type BuildProgress, type CaptureIndex } from './captureIndex.ts'
import { captureSchema } from './captureIndex.sql.ts'
import { openElsewhere, type ElsewhereAsked, type FoundElsewhere } from './elsewhere.ts'
import { Growth } from './growth.ts'
import { jobSet, setName } from './jobSet.ts'
import { letGo } from './keeping.ts'
import { removeTemporary } from './leftovers.ts'
import { keptIn } from './manifest.ts'

export { captureFields, type CaptureFilter } from './captureFilter.ts'
export type { CaptureQuery } from './captureQuery.ts'
export { momentAt } from './asked.ts'
export type { Asked, BuildProgress, CaptureIndex, IndexedCapture, Moment } from './captureIndex.ts'
export type { FoundElsewhere } from './elsewhere.ts'
export type { Completeness } from './completeness.ts'

export interface BuildOptions {
  signal?: AbortSignal
  onProgress?: (progress: BuildProgress) => void
  /** The index is given before it is whole and grows while it is used: `isGrowing`, `whole`. Where it is being built already for
   *  somebody who waits, and from nothing, it is waited for all the same. */
  atOnce?: boolean
}

export interface IndexesParts {
  folder: string
  world: World
  archive: Archive
  /** Of the databases of captures; read whenever one was made. */
  bytesMax?: () => number
  /** Sets of jobs whose databases go last. */
  namedSets?: () => readonly (readonly number[])[]
}

export interface Indexes {
  /** The capture index of these jobs, built when there is none for their present files. Whoever asks closes it. Rejects
   *  with the signal's reason (of the first, where several wait for one build), or with `Fault` notFound when the archive
   *  has no file of any of these jobs. */
  captureIndexFor(jobs: readonly number[], options?: BuildOptions): Promise<CaptureIndex>
  /** Captures of an address in these jobs, out of the databases that there are; where there is none of a job it is made, and waited
   *  for no longer than a moment. */
  elsewhere(asked: ElsewhereAsked): Promise<FoundElsewhere>
  /** What is lost with this archive file; undefined when nobody can say. */
  affectedBy(
    file: { name: string; job: number },
    options: { msMax: number; signal: AbortSignal },
  ): Promise<Affected | undefined>
}

export async function openIndexes(parts: IndexesParts): Promise<Indexes> {
  const { folder, world, archive, bytesMax = () => Infinity, namedSets = () => [] } = parts
  const lineFolder = join(folder, 'cdx')
  const captureFolder = join(folder, 'capture')
  for (const each of [lineFolder, captureFolder]) {
    await world.disk.makeFolder(each)
    await removeTemporary(each, world.disk)
  }
  const used = new Map<string, number>()
  /** By the name of the set: how many read its index, or wait for it. */
  const users = new Map<string, number>()
  /** What is begun waits until nothing is let go any more. */
  let lettingGo: Promise<void> = Promise.resolve()
  /** Two that want the same index wait for one growth. */
  const growing = new Map<string, Growth>()

  function growthOf(jobs: readonly number[], { signal, onProgress, atOnce = false }: BuildOptions): Growth {
    const key = jobs.join('-')
    const known = growing.get(key)
    if (known) return known
    const jobsFound = jobs.filter((job) => archive.filesOfJob(job).length > 0)
    if (jobsFound.length === 0) throw new Fault('notFound', `the archive has no files of ${jobsInWords(jobs)}`)
    const given = { world, archive, lineFolder, captureFolder, jobs, jobsFound, signal, onProgress }
    const growth = new Growth({ ...given, isReadAtOnce: atOnce, ready: lettingGo })
    growing.set(key, growth)
    const end = () => {
      growing.delete(key)
      if (growing.size === 0) lettingGo = lettingGo.then(letGoNow)
    }
    growth.path.then((path) => void used.set(basename(path), world.clock.now())).then(end, end)
    return growth
  }

  function letGoNow(): Promise<void> {
    const named = new Set(namedSets().map(setName))
    const setOf = (name: string) => name.slice(0, name.indexOf('.'))
    return letGo({
      ...{ folder: captureFolder, disk: world.disk, used, bytesMax: bytesMax() },
      isInUse: (name) => users.has(setOf(name)),
      isNamed: (name) => named.has(setOf(name)),
    })
  }

  async function captureIndexFor(asked: readonly number[], build: BuildOptions = {}): Promise<CaptureIndex> {
    const jobs = jobSet(asked)
    const leave = using(users, setName(jobs))
    try {
      const growth = growthOf(jobs, build)
      const reader = build.atOnce ? await growth.read() : undefined
      if (reader) return captureIndexOver(left(reader, leave), { standing: growth, world })
      return wholeIndex(await growth.path, { world, leave })
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    affectedBy: (file, options) => affectedBy({ folder: lineFolder, world, archive }, file, options),
    captureIndexFor,
    elsewhere: openElsewhere({
      ...{ folder: captureFolder, world },
      make: async (job) => (await captureIndexFor([job])).close(),
    }),
  }
}

/** Once it is left, it is not in use by this one any more. */
function using(users: Map<string, number>, set: string): () => void {
  users.set(set, (users.get(set) ?? 0) + 1)
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    const others = (users.get(set) ?? 1) - 1
    if (others === 0) users.delete(set)
    else users.set(set, others)
  }
}

function wholeIndex(path: string, { world, leave }: { world: World; leave: () => void }): CaptureIndex {
  const store = openDerived(path, captureSchema)
  const kept = keptIn(store)
  if (kept === undefined) throw new Error(`${path} lost its manifest`)
  return wholeIndexOver(left(store, leave), { kept, world })
}

function left(store: Store, leave: () => void): Store {
  return { ...store, close: () => (leave(), store.close()) }
}

function jobsInWords(jobs: readonly number[]): string {
  return jobs.length === 1 ? `job ${jobs[0]}` : `the jobs ${jobs.join(', ')}`
}
