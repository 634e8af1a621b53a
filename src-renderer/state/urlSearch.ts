/** A search among URLs: its results, page after page, and the progress of the index while it is being built. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { CapturedUrl, FoundUrls, UrlMatch } from '../../src-main/contract/services/search.ts'
import { faultFrom } from './loaded.ts'

/** What is searched for. */
export interface UrlQuery {
  url: string
  match: UrlMatch
  /** Empty: the whole archive. */
  jobs: readonly number[]
}

export interface UrlSearchState {
  /** The newest answer; undefined: none yet. */
  found: FoundUrls | undefined
  /** The URLs of all answers to the query. */
  urls: readonly CapturedUrl[]
  /** URLs that were compared for them. */
  compared: number
  isAsking: boolean
  fault: Fault | null
  /** Searches; an empty query clears the results. */
  search(query: UrlQuery): Promise<void>
  /** Adds the next URLs. */
  more(): Promise<void>
}

export function makeUrlSearch({ search }: { search: Pick<Loupe['search'], 'urls'> }): StoreApi<UrlSearchState> {
  const nothing = { found: undefined, urls: [], compared: 0, isAsking: false, fault: null }
  /** Answers to an older query are dropped. */
  let generation = 0
  let query: UrlQuery | undefined

  return createStore<UrlSearchState>()((set, get) => {
    async function ask(after: string | null): Promise<void> {
      if (!query) return
      const { url, match, jobs } = query
      const askedIn = generation
      set({ isAsking: true, fault: null })
      try {
        const page = { ...(after !== null && { after }), ...(jobs.length > 0 && { jobs: [...jobs] }) }
        const found = await search.urls({ url, match, ...page })
        if (askedIn !== generation) return
        const before = after === null ? { urls: [], compared: 0 } : get()
        set({ found, urls: [...before.urls, ...found.urls], compared: before.compared + found.compared })
      } catch (error) {
        if (askedIn !== generation) return
        set({ fault: faultFrom(error), ...(after === null && { found: undefined, urls: [] }) })
      }
      if (askedIn === generation) set({ isAsking: false })
    }

    return {
      ...nothing,
      async search(asked) {
        generation += 1
        query = asked
        if (asked.url.trim() === '') set(nothing)
        else await ask(null)
      },
      async more() {
        const next = get().found?.next
        if (!get().isAsking && typeof next === 'string') await ask(next)
      },
    }
  })
}
