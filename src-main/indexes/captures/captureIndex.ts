/** Lookups in one capture index. Building indexes is done in `indexes.ts`; no archive file is read here. */
import { messageFrom } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { timeRangeOf, lookupKeyOf, type TimeRange, type CaptureLookup, type LookupKey } from '../model/lookup.ts'
import { captureParts, type CapturesPart } from './captureParts.ts'
import { captureStatements, duplicateStatements, type Address, type PlacedRow } from './captureIndex.sql.ts'
import { captureReader, duplicatesIn } from './captureReader.ts'
import { queryCaptures, type CapturePage, type CaptureQuery } from './captureQuery.ts'
import type { Completeness, Manifest } from '../lines/completeness.ts'
import { capturesOfUrlMax, neighboursMax, quarantinedShownMax } from '../model/limits.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import type { Kept } from './manifest.ts'
import { originalsOf, type Named, type Revisited } from './originals.ts'
import type { Page, PagesAsked } from '../model/pageSearch.ts'
import { growingPages } from './growingPages.ts'
import type { OriginalsElsewhere } from '../model/unresolved.ts'
import { rangesFrom } from '../model/keyRanges.ts'
import { byPreference, plainlyNearest } from './preference.ts'
import { queryBlocks, type BlocksAsked } from './queryBlocks.ts'
import { searchUrls, type UrlsAsked, type UrlsPage } from './urlSearch.ts'
import { urlStatements } from './urlSearch.sql.ts'
import { dayMs, timelineOf, type TimelineYear } from '../model/timeline.ts'

export type { CaptureLookup, Moment } from '../model/lookup.ts'

/** Progress of a build. */
export interface BuildProgress {
  /** Files whose captures are in the index, out of `filesTotal`. */
  filesDone: number
  filesTotal: number
  /** Jobs whose files are all in the index, except those that cannot be read. */
  jobsDone: number
  captures: number
}

/** An open capture index. */
export interface CaptureIndex {
  /** What the index covers. While it is being built, what it covers so far. */
  readonly completeness: Completeness
  /** The index is still being built, so more captures may come. */
  readonly isGrowing: boolean
  readonly progress: BuildProgress
  /** Resolves when the index is complete; the holder does not have to do anything for it. Rejects if the build failed: then the
   *  index answers from what it has, and `completeness` says what is missing. */
  readonly whole: Promise<void>
  count(): number
  /** The first candidate of a lookup. */
  nearest(asked: CaptureLookup): IndexedCapture | undefined
  /** Candidates in order of preference, so that a reader can try the next one if a record is damaged. */
  candidates(asked: CaptureLookup, limit: number): IndexedCapture[]
  /** Captures of GET requests for a URL, oldest first, at most `capturesOfUrlMax`; or those of a period, both ends included. */
  captures(url: string, within?: { fromMs: number; toMs: number }): IndexedCapture[]
  /** The newest captures of GET requests for a URL in these jobs, newest first. Null: files without a job. */
  newestOf(url: string, among: { jobs: readonly (number | null)[]; limit: number }): IndexedCapture[]
  /** URLs that were captured under this key, or under a key that continues it with more parameters. */
  addressesFrom(place: LookupKey, limit: number): Address[]
  /** Possible originals of a revisit, best first: the one that it names, then those with the same payload under this key and
   *  others. `named` tells what the index has at the named place, in order to explain why an original is lost. */
  originals(wanted: Revisited, limit: number): { found: IndexedCapture[]; named: Named }
  /** Archive files that contain originals of duplicates, with the number of duplicates. They may belong to any job, or not be
   *  in the archive. */
  originalFiles(): { name: string; captures: number }[]
  /** All duplicates in the order of their originals, in batches. */
  duplicates(): AsyncIterable<IndexedCapture[]>
  /** Captures of one or more URLs, page by page. Rejects with `Fault` badInput or refused. */
  query(query: CaptureQuery): Promise<CapturePage>
  /** URLs in the order of their keys, page by page, each with its captures counted. */
  urls(asked: UrlsAsked): Promise<UrlsPage>
  /** Positions at which the blocks of a query begin, for `after` and `until`, oldest first. Rejects with `Fault` badInput. */
  blocks(asked: BlocksAsked): Promise<string[]>
  /** Divides the captures of a URL, however many, into queries from `after` to `until`, oldest first. */
  parts(url: string): Promise<CapturesPart[]>
  /** Captures of a URL per day. */
  timeline(url: string): TimelineYear[]
  /** HTML pages whose URL contains a text, from a list of at most `pagesMax`. The list begins without pages whose content is in other indexes;
   *  `pagesReplaced` says when they were added. */
  pages(asked: PagesAsked): Promise<Page[]>
  /** Number of pages beyond that list, which is sorted by URL. */
  pagesLeftOut(): Promise<number>
  /** Resolves when no originals in other indexes are searched for. True: that made the list longer. */
  pagesReplaced(): Promise<boolean>
  close(): void
}

/** State of the database of an index. */
export type IndexStatus = Pick<CaptureIndex, 'isGrowing' | 'progress' | 'whole'> & { readonly manifest: Manifest }

interface Opening {
  world: World
  /** Finds originals for the list of pages that the index does not have. Absent: they are not looked for. */
  elsewhere?: OriginalsElsewhere
}

/** Opens a complete database, whose manifest describes it. */
export function wholeIndexOver(store: Store, { kept, ...opening }: Opening & { kept: Kept }): CaptureIndex {
  const { manifest, captures } = kept
  const filesTotal = manifest.files.length
  const progress = { filesDone: filesTotal, filesTotal, jobsDone: manifest.jobsFound.length, captures }
  return captureIndexOver(store, {
    status: { manifest, isGrowing: false, progress, whole: Promise.resolve() },
    ...opening,
  })
}

/** Makes the index of a database. `status` says how far its build is. */
export function captureIndexOver(
  store: Store,
  { status, world, elsewhere }: Opening & { status: IndexStatus },
): CaptureIndex {
  const statements = captureStatements(store)
  const ofDuplicates = duplicateStatements(store)
  const ofUrls = urlStatements(store)
  const blocks = queryBlocks(statements)
  const read = captureReader({ statements, ofDuplicates, status })
  const originals = (wanted: Revisited, limit: number) => {
    const { found, named } = originalsOf(statements, wanted, limit)
    return { found: found.map(read.capture), named }
  }
  const listed = growingPages({ statements, originals, elsewhere }, status)

  /** Captures on either side of the moment, nearest first, without those outside the time range. */
  const near = ({ key, method }: LookupKey, { atMs, fromMs, toMs }: TimeRange, limit: number): PlacedRow[] => {
    const rows = statements.near.all([key, atMs, method, limit, key, atMs, method, limit])
    const isWithin = ({ timestampMs }: PlacedRow) => timestampMs >= fromMs && timestampMs <= toMs
    return rows.every(isWithin) ? rows : rows.filter(isWithin)
  }

  /** The best capture. Nearly always the neighbours of the moment have exactly this URL and different times, and then no others
   *  have to be read. */
  const nearest = (asked: CaptureLookup): IndexedCapture | undefined => {
    const place = lookupKeyOf(asked)
    const range = timeRangeOf(asked)
    const rows = near(place, range, 2)
    if (rows.length === 0) return undefined
    const best = plainlyNearest(rows, { url: asked.url, atMs: range.atMs })
    return best ? read.captureAt(best, place) : candidates(asked, 1)[0]
  }

  const candidates = (asked: CaptureLookup, limit: number) => {
    const place = lookupKeyOf(asked)
    const range = timeRangeOf(asked)
    const nameOf = ({ file }: PlacedRow) => read.fileOf(file).filename
    return byPreference(near(place, range, neighboursMax), { url: asked.url, atMs: range.atMs, nameOf })
      .slice(0, limit)
      .map((row) => read.captureAt(row, place))
  }

  return {
    get completeness() {
      return { ...status.manifest, quarantined: quarantinedIn(statements) }
    },
    get isGrowing() {
      return status.isGrowing
    },
    get progress() {
      return { ...status.progress }
    },
    whole: status.whole,
    count: () => status.progress.captures,
    nearest,
    candidates,
    captures: (url, { fromMs, toMs } = { fromMs: -Infinity, toMs: Infinity }) =>
      statements.ofKey.all({ ...lookupKeyOf({ url }), fromMs, toMs, limit: capturesOfUrlMax }).map(read.capture),
    newestOf: (url, { jobs, limit }) =>
      statements.newestOfKey
        .all({ ...lookupKeyOf({ url }), jobs: JSON.stringify(jobs.map((job) => job ?? 0)), limit })
        .map(read.capture),
    addressesFrom({ key, method }, limit) {
      const more = key.includes('?') ? '&' : '?'
      const found = rangesFrom(key, more).map(({ from, to }) => statements.addresses.all({ from, to, method, limit }))
      return found.flat().slice(0, limit)
    },
    originals,
    originalFiles: () => ofDuplicates.originalFiles.all({}),
    duplicates: () => duplicatesIn(ofDuplicates, read.capture),
    query: (query) => queryCaptures({ statements, world, captureOf: read.capture }, query),
    urls: (asked) => searchUrls(ofUrls, asked),
    blocks,
    parts: (url) => captureParts({ statements, blocks }, url),
    timeline: (url) => timelineOf(statements.days.all({ ...lookupKeyOf({ url }), dayMs })),
    async pages(asked) {
      return (await listed().pages)(asked)
    },
    async pagesLeftOut() {
      return (await listed().listed).leftOut
    },
    pagesReplaced: () => listed().isReplaced,
    close: () => store.close(),
  }
}

function quarantinedIn(statements: ReturnType<typeof captureStatements>): Completeness['quarantined'] {
  const places = statements.quarantined.all({ limit: quarantinedShownMax })
  const first = places.map(({ file, offset, reason }) => {
    return { file, offset: offset ?? undefined, reason: messageFrom(reason) }
  })
  return { count: statements.quarantinedCount.get({})?.count ?? 0, first }
}
