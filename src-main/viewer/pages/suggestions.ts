/** What an address line offers while a person types: pages, and behind them whatever else was captured whose address begins with what was
 *  typed, where that begins as an address does. */
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import type { PagesAsked } from '../../indexes/model/pageSearch.ts'
import { suggestionRowsMax } from '../model/limits.ts'

export type Suggested = Pick<IndexedCapture, 'url' | 'timestampMs' | 'status' | 'mediaType'>

/** With a scheme or without. */
const beginsAsAddress = /^(?:[a-z]+:\/\/)?[^\s/?#]+\.[^\s]+$/i

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
  // Of one address the newest comes last.
  for (const capture of captures)
    if (capture.method === undefined && !known.has(capture.url) && isShown(capture.url))
      others.set(capture.url, capture)
  return [...pages, ...others.values()].slice(0, limit)
}
