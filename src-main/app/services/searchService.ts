/** Service `search` of the contract. */
import type { LoupeImplementation } from '../../contract/contract.ts'
import type { IndexedJob, SearchResult } from '../../contract/services/search.ts'
import type { Indexes } from '../../indexes/indexes.ts'
import type { Store } from '../../storage/storage.ts'
import { openSavedSearches, type SavedSearches } from '../searches/savedSearches.ts'
import type { TextKeeper } from './textKeeper.ts'
import { urlSearch, type UrlSearchParts } from './urlSearch.ts'

type Text = Indexes['text']
type FoundContent = Awaited<ReturnType<Text['search']>>['results'][number]
type JobRow = Awaited<ReturnType<Text['status']>>['jobs'][number]

interface Parts extends UrlSearchParts {
  store: Store
  indexes: Pick<Indexes, 'text' | 'captureIndexFor'>
  jobs: UrlSearchParts['jobs'] & {
    /** Throws `Fault` notFound for a job that does not exist. */
    summary(job: number): unknown
  }
  textKeeper: Pick<TextKeeper, 'beforeSearch'>
}

/** Makes the service. */
export function searchService(parts: Parts): LoupeImplementation['search'] {
  const {
    indexes: { text },
    jobs: known,
    sightFor,
  } = parts
  return {
    ...savedIn(openSavedSearches(parts.store)),
    urls: urlSearch(parts),
    async find({ query, jobs, offset = 0, limit = 20, facets: withFacets = false }, caller) {
      const { rules: shownBy } = await sightFor(caller)
      await parts.textKeeper.beforeSearch()
      const found = await text.search({ query, offset, limit, withFacets, shownBy, ...(jobs && { jobs }) })
      const { facets = null, months = null, suggestion = null, results, ...rest } = found
      return { ...rest, facets, months, suggestion, results: results.map(resultOf) }
    },
    async words({ query, jobs, limit = 60 }, caller) {
      const { rules: shownBy } = await sightFor(caller)
      await parts.textKeeper.beforeSearch()
      return text.words({ query, limit, shownBy, ...(jobs && { jobs }) })
    },
    async build({ jobs }) {
      for (const job of jobs) known.summary(job)
      return text.build(jobs)
    },
    async status() {
      const { jobs, contents } = await text.status()
      return { contents, jobs: jobs.map(jobOf) }
    },
    drop: ({ jobs }) => text.drop(jobs),
  }
}

function savedIn(searches: SavedSearches): Pick<LoupeImplementation['search'], 'saved' | 'save' | 'forget'> {
  return {
    saved: async () => searches.list(),
    async save(search) {
      searches.save(search)
      return {}
    },
    async forget({ name }) {
      searches.forget(name)
      return {}
    },
  }
}

function resultOf({ job, status, capturedMs, ...result }: FoundContent): SearchResult {
  return { ...result, time: new Date(capturedMs).toISOString(), job: numberOrNull(job), status: numberOrNull(status) }
}

function jobOf({ job, awaiting, ...row }: JobRow): IndexedJob {
  return { ...row, job: numberOrNull(job), capturesWithoutContent: awaiting }
}

/** The index has 0 for what is not known. */
function numberOrNull(value: number): number | null {
  return value === 0 ? null : value
}
