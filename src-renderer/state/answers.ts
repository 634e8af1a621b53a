/** A search whose results come in several answers: a query replaces those of the one before, and further answers are added on request. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

export interface AnswersState<Query, Answer> {
  /** What was asked last; undefined: nothing. */
  query: Query | undefined
  /** The answers to the newest query that was answered, in their order. */
  answers: readonly Answer[]
  isAsking: boolean
  fault: Fault | null
  /** Searches; undefined clears the results. */
  search(query: Query | undefined): Promise<void>
  /** Adds the next answer, if there is one. */
  more(): Promise<void>
}

/** Makes the store. `ask` asks for the answer after others; it returns undefined if they were all. */
export function makeAnswers<Query, Answer>(
  ask: (query: Query, before: readonly Answer[]) => Promise<Answer> | undefined,
): StoreApi<AnswersState<Query, Answer>> {
  /** Answers to an older query are dropped. */
  let generation = 0

  return createStore<AnswersState<Query, Answer>>()((set, get) => {
    async function add(query: Query, before: readonly Answer[]): Promise<void> {
      const asked = ask(query, before)
      if (asked === undefined) return
      const askedIn = generation
      set({ isAsking: true, fault: null })
      try {
        const answer = await asked
        if (askedIn === generation) set({ answers: [...before, answer], isAsking: false })
      } catch (error) {
        if (askedIn === generation) set({ fault: faultFrom(error), answers: before, isAsking: false })
      }
    }

    return {
      ...{ query: undefined, answers: [], isAsking: false, fault: null },
      async search(query) {
        generation += 1
        set({ query })
        if (query === undefined) set({ answers: [], isAsking: false, fault: null })
        else await add(query, [])
      },
      async more() {
        const { query, answers, isAsking } = get()
        if (query !== undefined && !isAsking) await add(query, answers)
      },
    }
  })
}
