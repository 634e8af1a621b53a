/** The query and where it searches, as the URL of the screen has them. */
import { searchModes, urlMatches, type SearchMode, type UrlMatch } from '../../../src-main/contract/services/search.ts'
import type { Route } from '../../routes/routes.ts'

export interface SearchPlace {
  mode: SearchMode
  query: string
  /** How URLs are compared, and the jobs in which they are searched; empty: in all. */
  match: UrlMatch
  jobs: number[]
}

const defaultMatch: UrlMatch = 'prefix'

export function placeOf(filter: string | undefined): SearchPlace {
  const fields = new URLSearchParams(filter)
  const jobs = (fields.get('jobs') ?? '').split(',').map(Number)
  return {
    mode: searchModes.find((mode) => mode === fields.get('in')) ?? 'text',
    query: fields.get('q') ?? '',
    match: urlMatches.find((match) => match === fields.get('match')) ?? defaultMatch,
    jobs: jobs.filter((job) => Number.isSafeInteger(job) && job > 0),
  }
}

export function routeOfPlace({ mode, query, match, jobs }: SearchPlace): Extract<Route, { place: 'search' }> {
  const fields = new URLSearchParams({
    ...(mode !== 'text' && { in: mode }),
    ...(query !== '' && { q: query }),
    ...(mode === 'urls' && match !== defaultMatch && { match }),
    ...(mode === 'urls' && jobs.length > 0 && { jobs: jobs.join(',') }),
  })
  return { place: 'search', ...(fields.size > 0 && { filter: fields.toString() }) }
}
