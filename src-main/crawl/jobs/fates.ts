/** What became of URLs in jobs, for lists of what is missing. */
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import { urlStatements, type Failure } from '../model/jobDocuments.sql.ts'
import { keyOf } from '../model/urlKeys.ts'

/** What became of a URL in a job. `reason`: of `contract/states/outcomes`. `status`: of the answer; null if it came without HTTP. */
export type Fate =
  | { is: 'captured'; status: number | null }
  | { is: 'queued' | 'notChecked' | 'neverFound' }
  | { is: 'notFetched'; reason: string }

/** Answers what became of URLs. */
export interface Fates {
  fateOf(job: number, url: string): Fate
  /** Jobs among `jobs` that have a capture of the URL. */
  capturedIn(url: string, jobs: readonly number[]): number[]
  /** Pages and their parts that the last run could not fetch, in the order of their ids, from the first with an id above `after`. */
  failures(query: { job: number; after: number; limit: number }): Failure[]
}

/** Opens the answers over the documents of all jobs. */
export function fatesIn(store: Store): Fates {
  const sql = urlStatements(store)
  return {
    fateOf(job, url) {
      const identity = canonicalUrl(url)
      const known = identity === undefined ? undefined : sql.knownUrl.get({ job, key: keyOf(identity) })
      if (known === undefined) return { is: 'neverFound' }
      if (known.outcome === 'fetched') return { is: 'captured', status: known.status }
      if (known.outcome === null) return { is: known.isQueued ? 'queued' : 'notChecked' }
      return { is: 'notFetched', reason: known.reason ?? '' }
    },
    capturedIn(url, jobs) {
      const identity = canonicalUrl(url)
      if (identity === undefined) return []
      return sql.capturedIn.all({ key: keyOf(identity), jobs: JSON.stringify(jobs) }).map(({ job }) => job)
    },
    failures: (query) => sql.failures.all(query),
  }
}
