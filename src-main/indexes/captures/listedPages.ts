/** Pages for lists: URLs with an HTML capture, and URLs that have only revisits of one, as in a job whose pages had not
 *  changed. A revisit has neither type nor status, its original has. */
import type { captureStatements } from './captureIndex.sql.ts'
import { pagesMax, revisitedAtOnce, revisitedMax } from '../model/limits.ts'
import type { Page } from '../model/pageSearch.ts'

type Statements = Pick<ReturnType<typeof captureStatements>, 'pages' | 'pagesCount' | 'revisited' | 'pageOfPayload'>

/** The pages of an index, at most `pagesMax`. */
export interface ListedPages {
  pages: Page[]
  /** Pages left out. Pages with revisits only are not counted then. */
  leftOut: number
}

/** Returns the pages. Other requests get a turn while revisits are looked up. */
export async function listedPages(statements: Statements): Promise<ListedPages> {
  const pages = statements.pages.all({ limit: pagesMax })
  if (pages.length >= pagesMax) return { pages, leftOut: (statements.pagesCount.get({})?.count ?? 0) - pages.length }
  const captured = new Set(pages.map(({ url }) => url))
  for await (const page of revisitedPages(statements)) if (!captured.has(page.url)) pages.push(page)
  return { pages: pages.slice(0, pagesMax), leftOut: Math.max(0, pages.length - pagesMax) }
}

async function* revisitedPages({ revisited, pageOfPayload }: Statements): AsyncGenerator<Page> {
  let after = ''
  for (let looked = 0; looked < revisitedMax; looked += revisitedAtOnce) {
    const found = revisited.all({ after, limit: revisitedAtOnce })
    for (const { url, timestampMs, digest } of found) {
      const original = digest === '' ? undefined : pageOfPayload.get({ digest })
      if (original) yield { url, timestampMs, ...original }
    }
    const last = found.at(-1)
    if (last === undefined) return
    after = last.url
    await new Promise((others) => setImmediate(others))
  }
}
