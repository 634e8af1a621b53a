/** Pages found while a person types: a bounded list of addresses, answered at every keystroke. It is not the search of the
 *  archive's text. Words of the address that begin with what was typed come first (FlexSearch), then addresses that merely
 *  contain it. */
import { Index } from 'flexsearch'

export interface Page {
  url: string
  timestampMs: number
  status: number
  mediaType: string
}

/** Adding 20,000 addresses takes half a second, which nobody else should wait for. */
const addedAtOnce = 500

export interface PagesAsked {
  text: string
  limit: number
  /** Asked of each page until there are as many as are wanted; absent: all may be told. */
  isShown?: (url: string) => boolean
}

export async function searchablePages(found: readonly Page[]): Promise<(asked: PagesAsked) => Page[]> {
  // The shortest address of a site is its front page: with nothing typed, and among equals, it comes first.
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

/** The scheme says nothing about a page, and every address has it. */
function wordsOf(url: string): string[] {
  return url
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
