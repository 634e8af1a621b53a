/** All matches of a search, for a file. */
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { CapturedUrl, SearchResult } from '../../src-main/contract/services/search.ts'
import { allRows } from './allRows.ts'
import { resultsMax } from './textSearch.ts'
import type { UrlQuery } from './urlSearch.ts'

/** The engine's limits for one answer. */
const resultsAtOnce = 100
const urlsAtOnce = 500
/** URLs in one file: a table that programs still open. */
const urlsSavedMax = 100_000

type Search = Pick<Loupe['search'], 'find' | 'urls'>

/** The results of a search in texts: at most those that can be paged to. Rejects with the engine's `Fault`. */
export async function allResults(
  search: Search,
  query: string,
  onProgress: (saved: number) => void,
): Promise<{ rows: SearchResult[]; isWhole: boolean }> {
  const { rows, total } = await allRows(
    async (page) => {
      const { results, total } = await search.find({ query, ...page })
      return { rows: results, total }
    },
    { perPage: resultsAtOnce, rowsMax: resultsMax, onProgress },
  )
  return { rows, isWhole: rows.length >= total }
}

/** The URLs of a search, at most `urlsSavedMax`. Rejects with the engine's `Fault`. */
export async function allUrls(
  search: Search,
  { url, match, jobs }: UrlQuery,
  onProgress: (saved: number) => void,
): Promise<{ rows: CapturedUrl[]; isWhole: boolean }> {
  const rows: CapturedUrl[] = []
  for (let after: string | null = null; rows.length < urlsSavedMax;) {
    const page: Awaited<ReturnType<Search['urls']>> = await search.urls({
      ...{ url, match, limit: urlsAtOnce, untilWhole: true },
      ...(jobs.length > 0 && { jobs: [...jobs] }),
      ...(after !== null && { after }),
    })
    for (const row of page.urls) rows.push(row)
    onProgress(rows.length)
    if (page.next === null) return { rows, isWhole: true }
    after = page.next
  }
  return { rows, isWhole: false }
}
