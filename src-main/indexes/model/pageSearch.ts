/** Search among the URLs of a bounded list of pages, fast enough for every keystroke. It does not search the text of the
 *  archive. URLs with words that begin with the text come first (FlexSearch), then URLs that merely contain it. */
import { Index } from 'flexsearch'
import type { IndexedCapture } from './indexedCapture.ts'

/** A page of an index. */
export interface Page {
  url: string
  timestampMs: number
  status: number
  mediaType: string
  /** If the index has only revisits of the page: the capture with its content, perhaps of another index. */
  original?: IndexedCapture
}

/** URLs added at a time: adding 20,000 takes half a second, so other requests get a turn in between. */
const addedAtOnce = 500

/** A search for pages. */
export interface PagesAsked {
  text: string
  limit: number
  /** Filters results until `limit` is reached. Absent: all pages may be returned. */
  isShown?: (url: string) => boolean
}

/** Prepares pages for searches. Returns a function that searches. */
export async function searchablePages(found: readonly Page[]): Promise<(asked: PagesAsked) => Page[]> {
  // The shortest URL of a site is its front page. It comes first for an empty text and among equal matches.
  const pages = found.toSorted((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1))
  const lower = pages.map(({ url }) => url.toLowerCase())
  const index = new Index({ tokenize: 'forward', encode: wordsOf })
  for (const [id, { url }] of pages.entries()) {
    index.add(id, url)
    if (id % addedAtOnce === 0) await new Promise((others) => setImmediate(others))
  }

  return ({ text, limit, isShown = () => true }) => {
    const typed = text.trim().toLowerCase()
    const shown = new Map<number, Page>()
    const add = (id: number) => {
      const page = pages[id]
      if (page && shown.size < limit && !shown.has(id) && isShown(page.url)) shown.set(id, page)
    }
    if (wordsOf(typed).length > 0) for (const id of index.search(typed, { limit: pages.length })) add(Number(id))
    for (let id = 0; id < lower.length && shown.size < limit; id++) if (lower[id]?.includes(typed)) add(id)
    return [...shown.values()]
  }
}

/** Words of a URL without its scheme, which every URL has. */
function wordsOf(url: string): string[] {
  return url
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
