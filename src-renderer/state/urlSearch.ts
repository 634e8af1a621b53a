/** A search among URLs: its results, page after page, and the progress of the index while it is being built. */
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { FoundUrls, UrlMatch } from '../../src-main/contract/services/search.ts'
import { makeAnswers } from './answers.ts'

/** What is searched for. */
export interface UrlQuery {
  url: string
  match: UrlMatch
  /** Empty: the whole archive. */
  jobs: readonly number[]
}

/** Makes the store. */
export function makeUrlSearch({ search }: { search: Pick<Loupe['search'], 'urls'> }) {
  return makeAnswers<UrlQuery, FoundUrls>(({ url, match, jobs }, before) => {
    const after = before.at(-1)?.next
    if (after === null) return undefined
    return search.urls({
      ...{ url, match },
      ...(after !== undefined && { after }),
      ...(jobs.length > 0 && { jobs: [...jobs] }),
    })
  })
}
