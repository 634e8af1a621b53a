/** The floor's door: indexes that are derived from the archive. All of it may be deleted at any time; it is built again.
 *
 *  Two layers. For each archive file the CDXJ lines of its captures (`cdx/<job>/<file>.cdxj`), from the job's metadata
 *  where the harvester wrote them, else by reading the file. For each selection a database made of them
 *  (`capture/<selection>.<files>.db`). Beside them, for imported jobs, what their crawl logs say of each address
 *  (`crawl-log/<job>.<files>.db`). A file is written under a temporary name and renamed, so what has its name is whole, and
 *  being killed at any moment leaves at most temporary files, which the next start removes. What is being made and nobody
 *  wants any more ends where it is. */
import { basename, join } from 'node:path'
import type { Archive } from '../archive/store/archive.ts'
import type { Selected } from '../archive/copies/selected.ts'
import { Fault } from '../contract/calls/faults.ts'
import { selectionOf, selectionText, type Selection } from '../contract/shapes/selection.ts'
import { openDerived, type Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { affectedBy, type Affected } from './affected/affected.ts'
import { captureIndexOver, wholeIndexOver, type BuildProgress, type CaptureIndex } from './captures/captureIndex.ts'
import { captureSchema } from './captures/captureIndex.sql.ts'
import { lineFile } from './lines/captureLines.ts'
import { openOtherIndexes, type OtherCapturesAsked, type FoundCaptures, type Source } from './captures/otherIndexes.ts'
import { IndexBuild } from './build/indexBuild.ts'
import { openCrawlLogs, type CrawlLogs, type LogsAsked } from './crawlLogs/crawlLogs.ts'
import { evict } from './databases/eviction.ts'
import { removeTemporary } from './databases/leftovers.ts'
import { keptIn } from './captures/manifest.ts'
import { selectionName } from './model/selectionName.ts'
import { countUse } from './databases/usage.ts'

export { captureFields, type CaptureFilter } from './captures/captureFilter.ts'
export type { CaptureQuery } from './captures/captureQuery.ts'
export { momentAt, lookupKeyOf } from './model/lookup.ts'
export type { CaptureLookup, BuildProgress, CaptureIndex, Moment } from './captures/captureIndex.ts'
export type { IndexedCapture } from './model/indexedCapture.ts'
export type { FoundCaptures, Source } from './captures/otherIndexes.ts'
export { pageBlocksMax } from './model/limits.ts'
export type { MissingFile } from './lines/captureLines.ts'
export type { Completeness } from './lines/completeness.ts'
export type { CrawlLogs, UrlInLogs } from './crawlLogs/crawlLogs.ts'
export type { LoggedFate } from './crawlLogs/crawlLogIndex.sql.ts'

export interface BuildOptions {
  /** Whoever asks does not want it any more; others may. */
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
  /** Selections whose databases go last. */
  namedSelections?: () => readonly Selection[]
}

export interface Indexes {
  /** The capture index of a selection, built when there is none for its present files. Whoever asks closes it; what is built
   *  is wanted by those who wait for it and by those who have not closed it. Rejects with the signal's reason, with `Fault`
   *  notFound when the archive has nothing that is selected, or not a file that is selected by its name, and with `Fault` stopped
   *  when the indexes are closed. */
  captureIndexFor(selection: Selection, options?: BuildOptions): Promise<CaptureIndex>
  /** Captures of an address in the files of jobs, out of the databases that there are; where there is none of a job it is made, and
   *  waited for no longer than a moment. */
  otherCaptures(asked: OtherCapturesAsked): Promise<FoundCaptures>
  /** What is lost with this archive file; undefined when nobody can say. */
  affectedBy(
    file: { name: string; job: number | null },
    options: { msMax: number; signal: AbortSignal },
  ): Promise<Affected | undefined>
  /** What the crawl logs of imported or deleted jobs say; one that was never read is, and waited for no longer than a moment. Whoever
   *  asks closes it. */
  crawlLogs(asked: readonly LogsAsked[]): Promise<CrawlLogs>
  /** Ends what is being made. When it resolves nothing is written any more; what was given may be read until it is closed. */
  close(): Promise<void>
}

export async function openIndexes(parts: IndexesParts): Promise<Indexes> {
  const { folder, world, archive, bytesMax = () => Infinity, namedSelections = () => [] } = parts
  const lineFolder = join(folder, 'cdx')
  const captureFolder = join(folder, 'capture')
  const crawlLogFolder = join(folder, 'crawl-log')
  for (const each of [lineFolder, captureFolder, crawlLogFolder]) {
    await world.disk.makeFolder(each)
    await removeTemporary(each, world.disk)
  }
  const used = new Map<string, number>()
  /** By the name of the selection: how many read its index, or wait for it. */
  const users = new Map<string, number>()
  /** What is begun waits until nothing is let go any more. */
  let evicting: Promise<void> = Promise.resolve()
  /** Two that want the same index wait for one growth; one that ends unwanted is waited for by the next. */
  const builds = new Map<string, IndexBuild>()
  const closed = new AbortController()
  /** What was asked and is not answered. */
  const answering = new Set<Promise<unknown>>()

  function buildOf(selection: Selection, selected: Selected, { onProgress, atOnce = false }: BuildOptions): IndexBuild {
    const key = selectionName(selection)
    const known = builds.get(key)
    if (known?.canBeHeld) return known
    const { jobs, jobsMissing } = selected
    if (selected.files.length === 0 && jobs.length === jobsMissing.length)
      throw new Fault(
        'notFound',
        key === 'all' ? 'the archive has no file yet' : `the archive has no file of ${selectionText(selection)}`,
      )
    const files = selected.files.map((file) => lineFile(lineFolder, file))
    const asked = { selection: selectionOf(selection), jobs, jobsMissing, files }
    const given = { world, archive, lineFolder, captureFolder, ...asked, signal: closed.signal, onProgress }
    const ready = Promise.all([evicting, known?.over])
    const growth = new IndexBuild({ ...given, isReadAtOnce: atOnce, ready })
    builds.set(key, growth)
    const noteUse = (path: string) => void used.set(basename(path), world.clock.now())
    // Whoever wants it hears why it did not become whole.
    growth.path.then(noteUse, () => undefined)
    void growth.over.then(() => {
      if (builds.get(key) === growth) builds.delete(key)
      if (builds.size === 0) evicting = evicting.then(evictNow)
    })
    return growth
  }

  function evictNow(): Promise<void> {
    const named = new Set(namedSelections().map(selectionName))
    const setOf = (name: string) => name.slice(0, name.indexOf('.'))
    return evict({
      ...{ folder: captureFolder, disk: world.disk, used, bytesMax: bytesMax() },
      isInUse: (name) => users.has(setOf(name)),
      isNamed: (name) => named.has(setOf(name)),
    })
  }

  async function captureIndexFor(selection: Selection, build: BuildOptions = {}): Promise<CaptureIndex> {
    const { signal, atOnce = false } = build
    signal?.throwIfAborted()
    // Jobs and names at once: whoever shows the same instead of another holds it before the other leaves.
    const selected = selection.all === true ? await archive.everything() : archive.selected(selection)
    signal?.throwIfAborted()
    closed.signal.throwIfAborted()
    const growth = buildOf(selection, selected, build)
    const ends = [growth.hold(signal), countUse(users, selectionName(selection))]
    const leave = () => ends.forEach((end) => end())
    try {
      const reader = atOnce ? await growth.read(signal) : undefined
      if (reader) return captureIndexOver(left(reader, leave), { standing: growth, world })
      return wholeIndex(await orAborted(growth.path, signal), { world, leave })
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Nothing is begun after the end. */
  async function answered<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    closed.signal.throwIfAborted()
    const answer = act()
    answering.add(answer)
    try {
      return await answer
    } finally {
      answering.delete(answer)
    }
  }

  const captureIndexes: Indexes['captureIndexFor'] = (selection, options) =>
    answered(() => captureIndexFor(selection, options))
  const namesOf = (source: Source) =>
    source === null ? archive.namesWithoutJob() : archive.selected({ jobs: [source] }).files.map(({ name }) => name)
  const findOtherCaptures = openOtherIndexes({
    ...{ folder: captureFolder, world, filesOf: namesOf },
    make: async (source) =>
      (await captureIndexes(source === null ? { files: namesOf(source) } : { jobs: [source] })).close(),
  })
  const crawlLogs = openCrawlLogs({
    ...{ folder: crawlLogFolder, lines: { folder: lineFolder, world, archive }, bytesMax, signal: closed.signal },
    linesMade: () => Promise.all([...builds.values()].map(({ over }) => over)),
  })
  return {
    captureIndexFor: captureIndexes,
    otherCaptures: (asked) => answered(() => findOtherCaptures(asked)),
    crawlLogs: (asked) => answered(() => crawlLogs.read(asked)),
    affectedBy: (file, { msMax, signal }) =>
      answered(() =>
        affectedBy({ folder: lineFolder, world, archive }, file, {
          msMax,
          signal: AbortSignal.any([signal, closed.signal]),
        }),
      ),
    async close() {
      closed.abort(new Fault('stopped', 'Loupe was closed before the index was made.'))
      await Promise.allSettled(answering)
      await Promise.all([...builds.values()].map(({ over }) => over))
      await evicting
      await crawlLogs.over()
    },
  }
}

/** Whoever does not want to wait any more hears so at once, also where others go on. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
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
