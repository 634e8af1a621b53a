/** Suggestions for the address bar: matching pages, then other captures whose URL begins with the text, if the text looks like
 *  the beginning of a URL. */
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import type { PagesAsked } from '../../indexes/model/pageSearch.ts'
import { suggestionRowsMax } from '../model/limits.ts'

/** A page or capture that is suggested. */
export type Suggested = Pick<IndexedCapture, 'url' | 'timestampMs' | 'status' | 'mediaType'>

/** The beginning of a URL, with or without a scheme. */
const beginsAsAddress = /^(?:[a-z]+:\/\/)?[^\s/?#]+\.[^\s]+$/i

/** Returns at most `limit` suggestions, pages first. */
export async function suggestions(
  index: CaptureIndex,
  { text, limit, isShown }: Required<PagesAsked>,
): Promise<Suggested[]> {
  const pages = await index.pages({ text, limit, isShown })
  const typed = text.trim()
  if (pages.length >= limit || !beginsAsAddress.test(typed)) return pages
  const known = new Set(pages.map(({ url }) => url))
  const others = new Map<string, Suggested>()
  const { captures } = await index.query({ url: typed, matchType: 'prefix', limit: suggestionRowsMax })
  // The newest capture of a URL comes last and replaces the earlier ones.
  for (const capture of captures)
    if (capture.method === undefined && !known.has(capture.url) && isShown(capture.url))
      others.set(capture.url, capture)
  return [...pages, ...others.values()].slice(0, limit)
}
