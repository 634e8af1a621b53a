/** The entry point of the indexes, which are derived from the archive. All of them may be deleted at any time and are rebuilt.
 *
 *  There are two layers: CDXJ lines per archive file (`cdx/<job>/<file>.cdxj`), from the job's metadata where the harvester
 *  wrote them or else made by reading the file, and indexes made of these lines: a database of all captures of a selection
 *  (`capture/<selection>.<files>.db`), and the captures that a later harvest may refer to (`dedup/<jobs>.<files>.dedup`). For
 *  imported jobs there are also databases of their crawl logs (`crawl-log/<job>.<files>.db`). Files are written under a temporary name and renamed, so a file with its final name is
 *  complete. A crash leaves at most temporary files, which the next start removes. Builds that are no longer needed are
 *  stopped. */
import { join } from 'node:path'
import { message } from '../contract/words/message.ts'
import type { Archive } from '../archive/store/archive.ts'
import { Fault } from '../contract/calls/faults.ts'
import { unlessAborted } from '../world/unlessAborted.ts'
import type { Selection } from '../contract/shapes/selection.ts'
import { openDerived, type Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { affectedBy, type Affected } from './affected/affected.ts'
import { captureIndexOver, wholeIndexOver, type BuildProgress, type CaptureIndex } from './captures/captureIndex.ts'
import { captureSchema } from './captures/captureIndex.sql.ts'
import { keptDatabases } from './captures/keptDatabases.ts'
import { originalsElsewhere } from './captures/originalsElsewhere.ts'
import { openOtherIndexes, type OtherCapturesAsked, type FoundCaptures, type Source } from './captures/otherIndexes.ts'
import { openBuilds, type Builds } from './build/builds.ts'
import { openDedupBuilds, type DedupAsked, type DedupBuilds, type DedupIndex } from './dedup/dedupBuilds.ts'
import { linesWriter, type LinesAsked, type WrittenLines } from './listing/linesWriter.ts'
import type { FoundElsewhere } from './ledger/elsewhere.thread.ts'
import { matchReader } from './matches/matchReader.ts'
import { growthReader } from './growth/growthReader.ts'
import { ledgerReader, type LedgerAsked, type ReportedLedger } from './ledger/ledgerReader.ts'
import { openCrawlLogs, type CrawlLogs } from './crawlLogs/crawlLogs.ts'
import { dropIndex, keptIndexes, type InventoryParts, type KeptIndex } from './inventory/inventory.ts'
import type { LogsAsked } from './crawlLogs/logBuilds.ts'
import { registerBuilds, type BuildTasks } from './databases/buildTask.ts'
import { removeTemporary } from './databases/leftovers.ts'
import { keptIn } from './captures/manifest.ts'
import { prepareTextFolder } from './text/store/textStore.ts'
import type { OriginalsElsewhere } from './model/unresolved.ts'
import { openTextIndexes, type TextIndexes } from './text/textIndexes.ts'

export { captureFields, type CaptureFilter } from './captures/captureFilter.ts'
export type { CaptureQuery } from './captures/captureQuery.ts'
export { momentAt, lookupKeyOf } from './model/lookup.ts'
export type { CaptureLookup, BuildProgress, CaptureIndex, Moment } from './captures/captureIndex.ts'
export type { IndexedCapture } from './model/indexedCapture.ts'
export { partOf } from './captures/partIndex.ts'
export type { FoundCaptures, Source } from './captures/otherIndexes.ts'
export { pageBlocksMax } from './model/limits.ts'
export type { UnresolvedWhy } from './ledger/ledger.ts'
export type { MissingFile } from './lines/captureLines.ts'
export type { Completeness } from './lines/completeness.ts'
export type { CrawlLogs, UrlInLogs } from './crawlLogs/crawlLogs.ts'
export type { KeptIndex } from './inventory/inventory.ts'
export { openDedupFile, type DedupFile } from './dedup/dedupFile.ts'
export { hashOf, entriesPerKeyMax, type DedupEntry } from './dedup/entries.ts'
export { isAmong } from './dedup/excludedTypes.ts'
export type { Matches } from './matches/matches.ts'
export type { DedupIndex } from './dedup/dedupBuilds.ts'
export type { LoggedLine } from './crawlLogs/crawlLogIndex.sql.ts'

/** How a caller waits for an index. */
export interface BuildOptions {
  /** The caller no longer needs the index. Other callers are not affected. */
  signal?: AbortSignal
  onProgress?: (progress: BuildProgress) => void
  /** Returns the index before it is complete (`isGrowing`, `whole`). A build that was started without a base and without
   *  readers cannot be read before its end, so its end is awaited. */
  atOnce?: boolean
}

/** What the indexes work with. */
export interface IndexesParts {
  folder: string
  world: World
  archive: Archive
  tasks: BuildTasks
  /** Limit for the bytes of capture databases. Called after each build. */
  bytesMax?: () => number
  /** Selections whose databases are evicted last. */
  namedSelections?: () => readonly Selection[]
}

/** The indexes of one archive. */
export interface Indexes {
  /** The capture index of a selection, built if there is none for its current files. The caller closes it. A build continues
   *  while someone waits for the index or has it open. Rejects with the signal's reason, with `Fault` notFound if the archive
   *  has none of the selected files or not one that is selected by name, and with `Fault` stopped if the indexes are closed. */
  captureIndexFor(selection: Selection, options?: BuildOptions): Promise<CaptureIndex>
  /** Captures of a URL in the files of given jobs, from existing databases. A missing database is built; the call waits for it
   *  at most `otherCapturesMsMax`. */
  otherCaptures(asked: OtherCapturesAsked): Promise<FoundCaptures>
  /** Estimates what would be lost with an archive file. Undefined: unknown. */
  affectedBy(
    file: { name: string; job: number | null },
    options: { msMax: number; signal: AbortSignal },
  ): Promise<Affected | undefined>
  /** The crawl logs of imported or deleted jobs, read on first use; the call waits for it at most `crawlLogMsMax`. The caller
   *  closes them. */
  crawlLogs(asked: readonly LogsAsked[]): Promise<CrawlLogs>
  /** The deduplication index of jobs, built if there is none for their current files; callers that want the same one share the build. It
   *  lacks the jobs and files that its manifest names. Rejects with `Fault` stopped if its task is stopped or the indexes are closed, and
   *  with `DiskFault`. The caller calls `leave` when it no longer reads the file. */
  dedupIndexFor(asked: DedupAsked): Promise<DedupIndex>
  /** The indexes on the disk. */
  list(): Promise<KeptIndex[]>
  /** Removes an index of this list that is not in use. Returns whether it is gone. */
  drop(index: KeptIndex): Promise<boolean>
  /** What deduplication saved in the whole archive, or in some jobs, and which captures have no content. Builds the index of the whole
   *  archive if there is none. Rejects as `captureIndexFor`. */
  dedupLedger(asked: LedgerAsked): Promise<ReportedLedger>
  /** Captures of a selection over time. Builds its index if there is none. */
  growth: ReturnType<typeof growthReader>
  /** Revisits in the files of a selection whose originals are in other files, in the order of their originals. Rejects as
   *  `captureIndexFor`. */
  revisitsElsewhere(selection: Selection, signal: AbortSignal): Promise<FoundElsewhere>
  /** Writes the index lines of a selection to a new file. Rejects as `captureIndexFor`, and with `DiskFault`. */
  writeLines(asked: LinesAsked): Promise<WrittenLines>
  /** The captures of a search, with what their pages need to be displayed. Builds the index of the whole archive if there is none. */
  matches: ReturnType<typeof matchReader>
  /** The text of documents, and the search in it. */
  readonly text: Omit<TextIndexes, 'over'>
  /** Stops all builds. When it resolves, writing has ended. Open indexes can be read until they are closed. */
  close(): Promise<void>
}

/** Opens the indexes, and removes temporary files that a crash has left. */
export async function openIndexes(parts: IndexesParts): Promise<Indexes> {
  const { folder, world, archive, tasks, bytesMax = () => Infinity, namedSelections = () => [] } = parts
  const { lines: lineFolder, captures: captureFolder, crawlLog: crawlLogFolder, dedup: dedupFolder } = foldersIn(folder)
  for (const each of [lineFolder, captureFolder, crawlLogFolder, dedupFolder]) {
    await world.disk.makeFolder(each)
    await removeTemporary(each, world.disk)
  }
  await prepareTextFolder(folder, world.disk)
  await registerBuilds(tasks)
  const closed = new AbortController()
  /** Calls that have not settled. */
  const answering = new Set<Promise<unknown>>()

  const builds = openBuilds({
    ...{ world, archive, tasks, lineFolder, captureFolder, bytesMax, namedSelections },
    signal: closed.signal,
  })

  async function captureIndexFor(selection: Selection, build: BuildOptions = {}): Promise<CaptureIndex> {
    const { signal, atOnce = false } = build
    signal?.throwIfAborted()
    const selected = selection.all === true ? await archive.everything() : archive.selected(selection)
    signal?.throwIfAborted()
    closed.signal.throwIfAborted()
    // No `await` between these lines: a build without holders is stopped.
    const indexBuild = builds.of(selection, selected, build)
    const ends = [indexBuild.hold(signal), builds.countUse(selection)]
    const leave = () => ends.forEach((end) => end())
    try {
      const reader = atOnce ? await indexBuild.read(signal) : undefined
      if (reader) return captureIndexOver(withLeave(reader, leave), { status: indexBuild, world, elsewhere })
      return wholeIndex(await unlessAborted(indexBuild.path, signal), { world, elsewhere, leave })
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Tracks a call until it settles. After `close`, no call is accepted. */
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

  /** Once the indexes are closed, nothing is found. */
  const elsewhere: OriginalsElsewhere = async (revisits, onOriginals) =>
    closed.signal.aborted ? undefined : answered(() => others.findOriginals(revisits, onOriginals))

  const captureIndexes: Indexes['captureIndexFor'] = (selection, options) =>
    answered(() => captureIndexFor(selection, options))
  const others = otherSelections({ world, archive, captureFolder, captureIndexFor: captureIndexes })
  const lines = { folder: lineFolder, world, archive }
  const fromLines = { lines, tasks, bytesMax, linesMade: builds.over, signal: closed.signal }
  const crawlLogs = openCrawlLogs({ ...fromLines, folder: crawlLogFolder })
  const dedup = openDedupBuilds({ ...fromLines, folder: dedupFolder })
  const ledgers = ledgerReader({ world, archive, builds, closed: closed.signal })
  const growth = growthReader({ world, archive, builds, closed: closed.signal })
  const writeLines = linesWriter({ world, archive, builds, closed: closed.signal })
  const text = openTextIndexes({ folder, world, archive, tasks, signal: closed.signal })
  const matches = matchReader({ world, archive, builds, text, closed: closed.signal })
  const inventory = inventoryOf({ world, folder }, { builds, crawlLogs, dedup })
  return {
    captureIndexFor: captureIndexes,
    otherCaptures: (asked) => answered(() => others.findCaptures(asked)),
    crawlLogs: (asked) => answered(() => crawlLogs.read(asked)),
    writeLines: (asked) => answered(() => writeLines(asked)),
    list: () => answered(() => keptIndexes(inventory)),
    drop: (index) => answered(() => dropIndex(inventory, index)),
    dedupLedger: (asked) => answered(() => ledgers.ledger(asked)),
    growth: (asked) => answered(() => growth(asked)),
    revisitsElsewhere: (selection, signal) => answered(() => ledgers.revisitsElsewhere(selection, signal)),
    matches: (asked) => answered(() => matches(asked)),
    dedupIndexFor: (asked) => answered(() => dedup.index(asked)),
    text: answeredText(text, answered),
    affectedBy: (file, { msMax, signal }) =>
      answered(() =>
        affectedBy(lines, file, {
          msMax,
          signal: AbortSignal.any([signal, closed.signal]),
        }),
      ),
    async close() {
      closed.abort(new Fault('stopped', message('index.closed')))
      await Promise.allSettled(answering)
      await builds.over()
      await builds.evicted()
      await crawlLogs.over()
      await dedup.over()
      await text.over()
    },
  }
}

interface OtherSelections extends Pick<IndexesParts, 'world' | 'archive'> {
  captureFolder: string
  captureIndexFor: Indexes['captureIndexFor']
}

/** Searches in the databases of selections other than the one that is shown. */
function otherSelections({ world, archive, captureFolder, captureIndexFor }: OtherSelections) {
  const filesOf = (source: Source) =>
    source === null ? archive.namesWithoutJob() : archive.selected({ jobs: [source] }).files.map(({ name }) => name)
  const make = async (source: Source) =>
    (await captureIndexFor(source === null ? { files: filesOf(source) } : { jobs: [source] })).close()
  const databases = keptDatabases({ folder: captureFolder, world })
  return {
    findCaptures: openOtherIndexes({ world, databases, filesOf, make }),
    findOriginals: originalsElsewhere({
      ...{ world, databases, make },
      pathOfFile: async (name) => (await archive.pathOfFile(name))?.path,
      sourceOf: (name) => archive.file(name)?.job,
    }),
  }
}

/** The calls of the text index, tracked until they settle. */
function answeredText(
  text: TextIndexes,
  answered: <Answer>(act: () => Promise<Answer>) => Promise<Answer>,
): Indexes['text'] {
  return {
    build: (jobs) => answered(() => text.build(jobs)),
    exists: () => answered(() => text.exists()),
    search: (asked) => answered(() => text.search(asked)),
    words: (asked) => answered(() => text.words(asked)),
    captures: (asked) => answered(() => text.captures(asked)),
    status: () => answered(() => text.status()),
    drop: (jobs) => answered(() => text.drop(jobs)),
  }
}

interface Used {
  builds: Pick<Builds, 'isUsed' | 'isBuilding'>
  crawlLogs: { isUsed(job: number): boolean; readonly isBuilding: boolean }
  dedup: Pick<DedupBuilds, 'isUsed' | 'isBuilding'>
}

function inventoryOf(
  { world, folder }: Pick<IndexesParts, 'world' | 'folder'>,
  { builds, crawlLogs, dedup }: Used,
): InventoryParts {
  return {
    disk: world.disk,
    folders: foldersIn(folder),
    isInUse: (kind, name) => {
      const set = name.slice(0, name.indexOf('.'))
      if (kind === 'lines') return builds.isBuilding || crawlLogs.isBuilding || dedup.isBuilding
      if (kind === 'captures') return builds.isUsed(set)
      return kind === 'dedup' ? dedup.isUsed(name) : crawlLogs.isUsed(Number(set))
    },
  }
}

function foldersIn(folder: string): InventoryParts['folders'] {
  const of = (name: string) => join(folder, name)
  return { lines: of('cdx'), captures: of('capture'), crawlLog: of('crawl-log'), dedup: of('dedup') }
}

function wholeIndex(
  path: string,
  { leave, ...opening }: { world: World; elsewhere: OriginalsElsewhere; leave: () => void },
): CaptureIndex {
  const store = openDerived(path, captureSchema)
  const kept = keptIn(store)
  if (kept === undefined) throw new Error(`${path} lost its manifest`)
  return wholeIndexOver(withLeave(store, leave), { kept, ...opening })
}

/** Calls `leave` when the store is closed. */
function withLeave(store: Store, leave: () => void): Store {
  return { ...store, close: () => (leave(), store.close()) }
}
