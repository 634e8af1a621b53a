/** What the files of a selection hold: the lookups over one built index. It does not build (see `indexes.ts`) and reads no archive. */
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
  /** Whose captures are in the index, of those that it is to have. */
  filesDone: number
  filesTotal: number
  /** Of the jobs that were found: those whose files are all in it, as far as they can be had. */
  jobsDone: number
  captures: number
}

export interface CaptureIndex {
  /** As long as it grows, of what is in it. */
  readonly completeness: Completeness
  /** Files are still being added: what is not found may yet come. */
  readonly isGrowing: boolean
  readonly progress: BuildProgress
  /** Resolves when it is whole, which takes no deed of whoever holds it. Rejects when that cannot be: then it answers from what
   *  it has, and `completeness` says what is missing. */
  readonly whole: Promise<void>
  count(): number
  /** The first of the candidates. */
  nearest(asked: CaptureLookup): IndexedCapture | undefined
  /** In order of preference, so that a reader can go on to the next when a record is broken. */
  candidates(asked: CaptureLookup, limit: number): IndexedCapture[]
  /** Every capture of a URL that was asked for with GET, oldest first, at most `capturesOfUrlMax`; of a stretch of time, both its ends
   *  among them. */
  captures(url: string, within?: { fromMs: number; toMs: number }): IndexedCapture[]
  /** The newest that these jobs have of a URL that was asked for with GET, the newest first. Null stands for the files that belong
   *  to none. */
  newestOf(url: string, among: { jobs: readonly (number | null)[]; limit: number }): IndexedCapture[]
  /** Addresses that were captured under this key, or under one that only goes on with more parameters. */
  addressesFrom(place: LookupKey, limit: number): Address[]
  /** What a revisit may stand for, best first: the one that it names, then those with the same payload, at this address and
   *  elsewhere. With what is at the place that it names, so that one may say why a target is lost. */
  originals(wanted: Revisited, limit: number): { found: IndexedCapture[]; named: Named }
  /** Archive files in which duplicates have their originals, with how many there are of each. They may belong to any job, or be none of the
   *  archive's. */
  originalFiles(): { name: string; captures: number }[]
  /** All duplicates, in the order in which their originals lie, a few at a time. */
  duplicates(): AsyncIterable<IndexedCapture[]>
  /** Captures of one address, or of many, a page at a time. Rejects with `Fault` badInput or refused. */
  query(query: CaptureQuery): Promise<CapturePage>
  /** Where each block of a query begins (`after` and `until` of it), oldest first. Rejects with `Fault` badInput. */
  blocks(asked: BlocksAsked): Promise<string[]>
  /** Of an address, oldest first: all its captures, however many, are in the queries from `after` to `until` of each. */
  parts(url: string): Promise<CapturesPart[]>
  /** How many captures of an address there are of each day. */
  timeline(url: string): TimelineYear[]
  /** HTML pages whose address contains what was typed, at most `pagesMax` of them known. */
  pages(asked: PagesAsked): Promise<Page[]>
  /** How many pages there are beyond those, which come first by their address. */
  pagesLeftOut(): Promise<number>
  close(): void
}

/** How far the database is that an index is over. */
export type IndexStatus = Pick<CaptureIndex, 'isGrowing' | 'progress' | 'whole'> & { readonly manifest: Manifest }

/** Over one that is whole: its manifest says what is in it. */
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

  /** Making them searchable takes a while, so for an index that grows it is done again when there is much more. */
  const searchable = () => {
    const [of, isWhole] = [status.progress.captures, !status.isGrowing]
    if (searching === undefined || (!searching.isWhole && (isWhole || of > searching.of * 1.5))) {
      const listed = listedPages(statements)
      searching = { pages: listed.then(({ pages }) => searchablePages(pages)), listed, of, isWhole }
    }
    return searching
  }

  /** While it grows it may be begun anew, and then the numbers of files mean others. */
  const filesOfWhole = new Map<number, CapturedFile>()
  const fileOf = (id: number): CapturedFile => {
    const known = filesOfWhole.get(id)
    if (known) return known
    const read = statements.file.get({ id })
    if (read === undefined) throw new Error(`a capture is of file ${id}, which the index does not have`)
    if (!status.isGrowing) filesOfWhole.set(id, read)
    return read
  }

  /** On either side of the moment, the nearest first: behind one that is too far away there is none that is not. */
  const near = ({ key, method }: LookupKey, { atMs, fromMs, toMs }: TimeRange, limit: number): PlacedRow[] => {
    const rows = statements.near.all([key, atMs, method, limit, key, atMs, method, limit])
    const isWithin = ({ timestampMs }: PlacedRow) => timestampMs >= fromMs && timestampMs <= toMs
    return rows.every(isWithin) ? rows : rows.filter(isWithin)
  }

  /** Nearly always those next to the moment are of the very address, and each the only one of its own: then none of those around them
   *  has to be read. */
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

  /** The place of a duplicate in the index is that of its line in a crawl log; it is shown with that of its original. */
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
      // Somebody else may be answered before the next.
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

/** Column by column: taking objects apart and putting them together took longer than all else of a lookup but its statements. */
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
