/** Lookups in one capture index. Building indexes is done in `indexes.ts`; no archive file is read here. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { timeRangeOf, lookupKeyOf, type TimeRange, type CaptureLookup, type LookupKey } from '../model/lookup.ts'
import { captureParts, type CapturesPart } from './captureParts.ts'
import { captureStatements, duplicateStatements, firstDuplicate, type CaptureRow, type Address, type PlacedRow } from './captureIndex.sql.ts' // prettier-ignore
import { queryCaptures, type CapturePage, type CaptureQuery } from './captureQuery.ts'
import type { Completeness, Manifest } from '../lines/completeness.ts'
import { capturesOfUrlMax, duplicatesListedAtOnce, neighboursMax, quarantinedShownMax } from '../model/limits.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { listedPages } from './listedPages.ts'
import type { Kept } from './manifest.ts'
import { originalsOf, type Named, type Revisited } from './originals.ts'
import { searchablePages, type Page, type PagesAsked } from '../model/pageSearch.ts'
import { rangesFrom } from '../model/keyRanges.ts'
import { byPreference, plainlyNearest } from './preference.ts'
import { queryBlocks, type BlocksAsked } from './queryBlocks.ts'
import { dayMs, timelineOf, type TimelineYear } from '../model/timeline.ts'

export type { CaptureLookup, Moment } from '../model/lookup.ts'

export interface BuildProgress {
  /** Files whose captures are in the index, out of `filesTotal`. */
  filesDone: number
  filesTotal: number
  /** Jobs whose files are all in the index, except those that cannot be read. */
  jobsDone: number
  captures: number
}

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
  /** The newest captures of GET requests for a URL in these jobs, newest first. Null stands for files without a job. */
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
  /** Positions at which the blocks of a query begin, for `after` and `until`, oldest first. Rejects with `Fault` badInput. */
  blocks(asked: BlocksAsked): Promise<string[]>
  /** Divides the captures of a URL, however many, into queries from `after` to `until`, oldest first. */
  parts(url: string): Promise<CapturesPart[]>
  /** Captures of a URL per day. */
  timeline(url: string): TimelineYear[]
  /** HTML pages whose URL contains a text, from a list of at most `pagesMax`. */
  pages(asked: PagesAsked): Promise<Page[]>
  /** Number of pages beyond that list, which is sorted by URL. */
  pagesLeftOut(): Promise<number>
  close(): void
}

/** State of the database of an index. */
export type IndexStatus = Pick<CaptureIndex, 'isGrowing' | 'progress' | 'whole'> & { readonly manifest: Manifest }

/** Opens a complete database, whose manifest describes it. */
export function wholeIndexOver(store: Store, { kept, world }: { kept: Kept; world: World }): CaptureIndex {
  const { manifest, captures } = kept
  const filesTotal = manifest.files.length
  const progress = { filesDone: filesTotal, filesTotal, jobsDone: manifest.jobsFound.length, captures }
  return captureIndexOver(store, {
    standing: { manifest, isGrowing: false, progress, whole: Promise.resolve() },
    world,
  })
}

export function captureIndexOver(
  store: Store,
  { standing: status, world }: { standing: IndexStatus; world: World },
): CaptureIndex {
  const statements = captureStatements(store)
  const ofDuplicates = duplicateStatements(store)
  const blocks = queryBlocks(statements)
  let searching:
    | {
        pages: ReturnType<typeof searchablePages>
        listed: ReturnType<typeof listedPages>
        of: number
        isWhole: boolean
      }
    | undefined

  /** The searchable list of pages. Building it takes a while, so for an index that is being built it is repeated only when the
   *  index has grown by half. */
  const searchable = () => {
    const [of, isWhole] = [status.progress.captures, !status.isGrowing]
    if (searching === undefined || (!searching.isWhole && (isWhole || of > searching.of * 1.5))) {
      const listed = listedPages(statements)
      searching = { pages: listed.then(({ pages }) => searchablePages(pages)), listed, of, isWhole }
    }
    return searching
  }

  /** Files by id. Not remembered while the index is being built, because the build may restart and assign other ids. */
  const filesOfWhole = new Map<number, CapturedFile>()
  const fileOf = (id: number): CapturedFile => {
    const known = filesOfWhole.get(id)
    if (known) return known
    const read = statements.file.get({ id })
    if (read === undefined) throw new Error(`a capture is of file ${id}, which the index does not have`)
    if (!status.isGrowing) filesOfWhole.set(id, read)
    return read
  }

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
    const stretch = timeRangeOf(asked)
    const rows = near(place, stretch, 2)
    if (rows.length === 0) return undefined
    const best = plainlyNearest(rows, { url: asked.url, atMs: stretch.atMs })
    return best ? captureAt(best, place) : candidates(asked, 1)[0]
  }

  const candidates = (asked: CaptureLookup, limit: number) => {
    const place = lookupKeyOf(asked)
    const stretch = timeRangeOf(asked)
    const nameOf = ({ file }: PlacedRow) => fileOf(file).filename
    return byPreference(near(place, stretch, neighboursMax), { url: asked.url, atMs: stretch.atMs, nameOf })
      .slice(0, limit)
      .map((row) => captureAt(row, place))
  }

  const captureAt = (row: PlacedRow, place: LookupKey) => withOriginal(captureOf(row, place, fileOf(row.file)), row)
  const wholeCaptureOf = (row: CaptureRow) => withOriginal(captureOf(row, row, row), row)

  /** Adds the original of a duplicate. In the index a duplicate has the position of its crawl log line; it is returned with
   *  that of its original. */
  const withOriginal = (
    capture: IndexedCapture,
    { file, offset: number }: Pick<PlacedRow, 'file' | 'offset'>,
  ): IndexedCapture => {
    if (capture.recordType !== 'duplicate') return capture
    const original = ofDuplicates.original.get({ file, number })
    if (original === undefined) throw new Error(`the index does not have what duplicate ${number} of ${file} refers to`)
    const { filename, offset, url, timestampMs } = original
    return {
      ...{ ...capture, filename, offset },
      duplicate: { log: capture.filename, url, timestampMs: timestampMs ?? undefined },
    }
  }

  async function* duplicates(): AsyncGenerator<IndexedCapture[]> {
    for (let after = firstDuplicate; ;) {
      const rows = ofDuplicates.inOrderOfOriginals.all({ ...after, limit: duplicatesListedAtOnce })
      const captures = rows.map(wholeCaptureOf)
      yield captures
      const [row, last] = [rows.at(-1), captures.at(-1)]
      if (row === undefined || last === undefined) return
      after = { originalFile: last.filename, originalOffset: last.offset, file: row.file, number: row.offset }
      // Other requests get a turn before the next batch.
      await new Promise((others) => setImmediate(others))
    }
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
      statements.ofKey.all({ ...lookupKeyOf({ url }), fromMs, toMs, limit: capturesOfUrlMax }).map(wholeCaptureOf),
    newestOf: (url, { jobs, limit }) =>
      statements.newestOfKey
        .all({ ...lookupKeyOf({ url }), jobs: JSON.stringify(jobs.map((job) => job ?? 0)), limit })
        .map(wholeCaptureOf),
    addressesFrom({ key, method }, limit) {
      const more = key.includes('?') ? '&' : '?'
      const found = rangesFrom(key, more).map(({ from, to }) => statements.addresses.all({ from, to, method, limit }))
      return found.flat().slice(0, limit)
    },
    originals(wanted, limit) {
      const { found, named } = originalsOf(statements, wanted, limit)
      return { found: found.map(wholeCaptureOf), named }
    },
    originalFiles: () => ofDuplicates.originalFiles.all({}),
    duplicates,
    query: (query) => queryCaptures({ statements, world, captureOf: wholeCaptureOf }, query),
    blocks,
    parts: (url) => captureParts({ statements, blocks }, url),
    timeline: (url) => timelineOf(statements.days.all({ ...lookupKeyOf({ url }), dayMs })),
    async pages(asked) {
      return (await searchable().pages)(asked)
    },
    async pagesLeftOut() {
      const { pages, listed } = searchable()
      await pages
      return (await listed).leftOut
    },
    close: () => store.close(),
  }
}

interface CapturedFile {
  filename: string
  job: number | null
}

function quarantinedIn(statements: ReturnType<typeof captureStatements>): Completeness['quarantined'] {
  const places = statements.quarantined.all({ limit: quarantinedShownMax })
  const first = places.map(({ offset, ...place }) => ({ ...place, offset: offset ?? undefined }))
  return { count: statements.quarantinedCount.get({})?.count ?? 0, first }
}

/** Converts a row. Field by field, because spreading objects took longer than the rest of a lookup without its statements. */
function captureOf(row: PlacedRow, { key, method }: LookupKey, { filename, job }: CapturedFile): IndexedCapture {
  const { timestampMs, url, mediaType, status, payloadDigest, offset, length, recordType } = row
  const capture: IndexedCapture = {
    key,
    timestampMs,
    url,
    mediaType,
    status: status ?? undefined,
    payloadDigest,
    offset,
    length,
    filename,
    recordType,
    job,
  }
  return method === '' ? capture : { ...capture, method }
}
