/** A search in the text of documents: its results, page after page. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { SearchFound, SearchResult } from '../../src-main/contract/services/search.ts'
import { faultFrom } from './loaded.ts'

/** Results of one answer. */
const resultsPerPage = 20
/** Results that the engine keeps in their order: no more can be paged to. */
export const resultsMax = 1_000

export interface TextSearchState {
  /** What was asked last. */
  query: string
  /** The first answer to the newest query that was answered; undefined: none yet. */
  found: SearchFound | undefined
  /** The results of all answers to it. */
  results: readonly SearchResult[]
  isAsking: boolean
  fault: Fault | null
  /** Searches; an empty query clears the results. */
  search(query: string): Promise<void>
  /** Adds the next results. */
  more(): Promise<void>
}

export function makeTextSearch({ search }: { search: Pick<Loupe['search'], 'find'> }): StoreApi<TextSearchState> {
  /** Answers to an older query are dropped. */
  let generation = 0

  return createStore<TextSearchState>()((set, get) => {
    async function ask(offset: number): Promise<void> {
      const { query } = get()
      const askedIn = generation
      set({ isAsking: true, fault: null })
      try {
        const found = await search.find({ query, offset, limit: resultsPerPage, facets: offset === 0 })
        if (askedIn !== generation) return
        if (offset === 0) set({ found, results: found.results })
        else set(({ results }) => ({ results: [...results, ...found.results] }))
      } catch (error) {
        if (askedIn !== generation) return
        set({ fault: faultFrom(error), ...(offset === 0 && { found: undefined, results: [] }) })
      }
      if (askedIn === generation) set({ isAsking: false })
    }

    return {
      ...{ query: '', found: undefined, results: [], isAsking: false, fault: null },
      async search(query) {
        generation += 1
        set({ query })
        if (query.trim() === '') set({ found: undefined, results: [], isAsking: false, fault: null })
        else await ask(0)
      },
      async more() {
        if (!get().isAsking) await ask(get().results.length)
      },
    }
  })
}

/** Whether there are results after those that are shown, and they can be paged to. */
export function hasMore({ found, results }: Pick<TextSearchState, 'found' | 'results'>): boolean {
  return found !== undefined && results.length < Math.min(found.total, resultsMax)
}
