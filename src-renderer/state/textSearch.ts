/** A search in the text of documents: its results, page after page. */
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { SearchFound, SearchResult } from '../../src-main/contract/services/search.ts'
import { makeAnswers } from './answers.ts'

/** Results of one answer. */
const resultsPerPage = 20
/** Results that the engine keeps in their order: no more can be paged to. */
export const resultsMax = 1_000

export type TextSearch = ReturnType<typeof makeTextSearch>

/** Makes the store. The first answer has the facets. */
export function makeTextSearch({ search }: { search: Pick<Loupe['search'], 'find'> }) {
  return makeAnswers<string, SearchFound>((query, before) => {
    if (before.length > 0 && !hasMore(before)) return undefined
    const offset = resultsOf(before).length
    return search.find({ query, offset, limit: resultsPerPage, facets: before.length === 0 })
  })
}

export function resultsOf(answers: readonly SearchFound[]): SearchResult[] {
  return answers.flatMap(({ results }) => results)
}

/** Whether there are results after those of the answers, and they can be paged to. */
export function hasMore(answers: readonly SearchFound[]): boolean {
  const [first] = answers
  return first !== undefined && resultsOf(answers).length < Math.min(first.total, resultsMax)
}
