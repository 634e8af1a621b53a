/** Pages for lists: URLs with an HTML capture, and URLs that have only revisits of one, as in a job whose pages had not
 *  changed. A revisit has neither type nor status, its original has. */
import { pageTypes, type captureStatements } from './captureIndex.sql.ts'
import { originalsTriedMax, pagesMax, revisitedAtOnce, revisitedMax } from '../model/limits.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import type { Page } from '../model/pageSearch.ts'
import type { OriginalsElsewhere, Unresolved } from '../model/unresolved.ts'
import type { Revisited } from './originals.ts'

/** Where pages are found. */
export interface PagesIn {
  statements: Pick<ReturnType<typeof captureStatements>, 'pages' | 'pagesCount' | 'revisited'>
  /** Possible originals of a revisit in this index. */
  originals: (wanted: Revisited, limit: number) => { found: IndexedCapture[] }
  /** Finds the originals that this index does not have. Absent: they are not looked for. */
  elsewhere?: OriginalsElsewhere | undefined
}

/** The pages of an index, at most `pagesMax`. */
export interface ListedPages {
  pages: Page[]
  /** Pages left out. Pages with revisits only are not counted then. */
  leftOut: number
  /** Revisits whose original is not in the index, so that it is not known whether they are pages. */
  unresolved: Unresolved[]
}

/** Returns the pages of the index itself. Other requests get a turn while revisits are looked up. */
export async function listedPages({ statements, originals }: Omit<PagesIn, 'elsewhere'>): Promise<ListedPages> {
  const pages: Page[] = statements.pages.all({ limit: pagesMax })
  const unresolved: Unresolved[] = []
  if (pages.length >= pagesMax)
    return { pages, leftOut: (statements.pagesCount.get({})?.count ?? 0) - pages.length, unresolved }
  const captured = new Set(pages.map(({ url }) => url))
  for await (const revisit of revisitedIn(statements)) {
    if (captured.has(revisit.url)) continue
    const { url, payloadDigest } = revisit
    const { found } = originals({ url, atMs: undefined, payloadDigest }, originalsTriedMax)
    if (found.length === 0) unresolved.push(revisit)
    else pages.push(...pageOf(revisit, found))
  }
  return { ...limited(pages), unresolved }
}

/** Returns the same list with the pages whose originals are in other indexes. */
export async function withPagesElsewhere(
  { pages, unresolved }: ListedPages,
  elsewhere: OriginalsElsewhere,
): Promise<ListedPages> {
  const more: Page[] = []
  await elsewhere(unresolved, (revisit, originals) => more.push(...pageOf(revisit, originals)))
  return { ...limited([...pages, ...more]), unresolved: [] }
}

function limited(pages: Page[]): Pick<ListedPages, 'pages' | 'leftOut'> {
  return { pages: pages.slice(0, pagesMax), leftOut: Math.max(0, pages.length - pagesMax) }
}

/** The page that a revisit shows; none if no original is one. */
function pageOf({ url, timestampMs }: Unresolved, originals: readonly IndexedCapture[]): Page[] {
  const original = originals.find(({ status, mediaType }) => status === 200 && pageTypes.includes(mediaType))
  return original ? [{ url, timestampMs, status: 200, mediaType: original.mediaType, original }] : []
}

async function* revisitedIn({ revisited }: PagesIn['statements']): AsyncGenerator<Unresolved> {
  let after = ''
  for (let looked = 0; looked < revisitedMax; looked += revisitedAtOnce) {
    const found = revisited.all({ after, limit: revisitedAtOnce })
    yield* found.filter(({ payloadDigest }) => payloadDigest !== '')
    const last = found.at(-1)
    if (last === undefined) return
    after = last.url
    await new Promise((others) => setImmediate(others))
  }
}
