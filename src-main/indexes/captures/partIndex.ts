/** The part of a capture index that someone may see: every list and lookup leaves the other captures out. Content is not looked for by these
 *  functions: an original gives its bytes to each revisit of it, and a revisit is shown by its own rules. */
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { candidatesRankedMax } from '../model/limits.ts'
import type { CaptureLookup } from '../model/lookup.ts'
import type { Page } from '../model/pageSearch.ts'
import { dayMs, timelineOf } from '../model/timeline.ts'
import type { CaptureIndex } from './captureIndex.ts'
import type { CapturedUrl } from './urlSearch.ts'

/** Whether a capture is shown. */
export type IsShown = (capture: Pick<IndexedCapture, 'job' | 'url'>) => boolean

/** Returns an index with the captures that are shown. Closing it closes the whole index. */
export function partOf(index: CaptureIndex, isShown: IsShown): CaptureIndex {
  const hasShown = (url: string) => index.captures(url).some(isShown)
  const candidates = (asked: CaptureLookup, limit: number) =>
    index.candidates(asked, candidatesRankedMax).filter(isShown).slice(0, limit)
  const captures: CaptureIndex['captures'] = (url, within) => index.captures(url, within).filter(isShown)

  function counted(row: CapturedUrl, all: readonly IndexedCapture[]): CapturedUrl[] {
    const shown = all.filter(isShown)
    const [first, last] = [shown[0], shown.at(-1)]
    if (!first || !last) return []
    if (shown.length === all.length) return [row]
    const { url, mediaType, status = null, job } = last
    const times = { firstMs: first.timestampMs, lastMs: last.timestampMs }
    return [{ ...row, ...times, url, mediaType, status, job, captures: shown.length, hasMoreCaptures: false }]
  }

  /** A page has the time of its newest capture, which may be hidden. */
  function pageShown(page: Page): Page {
    const last = captures(page.url).findLast(({ status }) => status === page.status)
    return last === undefined ? page : { ...page, timestampMs: last.timestampMs }
  }

  const part: Partial<CaptureIndex> = {
    nearest(asked) {
      const first = index.nearest(asked)
      return first === undefined || isShown(first) ? first : candidates(asked, 1)[0]
    },
    candidates,
    captures,
    newestOf: (url, among) =>
      index
        .newestOf(url, { ...among, limit: among.limit + candidatesRankedMax })
        .filter(isShown)
        .slice(0, among.limit),
    async query(query) {
      const page = await index.query(query)
      return { ...page, captures: page.captures.filter(isShown) }
    },
    async urls({ isPermitted = () => true, ...asked }) {
      const read = new Map<string, IndexedCapture[]>()
      const isListed = (url: string) => {
        if (!isPermitted(url)) return false
        const all = index.captures(url)
        const hasAny = all.some(isShown)
        if (hasAny) read.set(url, all)
        return hasAny
      }
      const page = await index.urls({ ...asked, isPermitted: isListed })
      return { ...page, urls: page.urls.flatMap((row) => counted(row, read.get(row.url) ?? [])) }
    },
    timeline: (url) => timelineOf(perDay(captures(url))),
    async pages({ isShown: isWanted = () => true, ...asked }) {
      const pages = await index.pages({ ...asked, isShown: (url) => isWanted(url) && hasShown(url) })
      return pages.map(pageShown)
    },
  }
  // By inheritance, so that what changes while the index is being built stays current.
  return Object.assign(Object.create(index) as CaptureIndex, part)
}

function perDay(captures: readonly IndexedCapture[]): { day: number; captures: number }[] {
  const days = Map.groupBy(captures, ({ timestampMs }) => Math.floor(timestampMs / dayMs))
  return [...days].map(([day, of]) => ({ day, captures: of.length })).toSorted((one, other) => one.day - other.day)
}
