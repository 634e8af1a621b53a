/** Rows of a list that is too long to be loaded at once: pages are requested when they become visible. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

/** Several screens of rows, and well below the engine's limit for one answer. */
export const rowsPerPage = 200

export interface PagesState<Row> {
  /** Undefined until the first answer. */
  total: number | undefined
  /** False when there are more rows than the engine lists. */
  complete: boolean
  rows: ReadonlyMap<number, Row>
  fault: Fault | null
  /** Called when rows `from` to `to` (exclusive) are visible. */
  want(from: number, to: number): void
  /** Loads the visible rows again and forgets the others; old rows stay visible until then. */
  refresh(): void
}

export type FetchPage<Row> = (page: { offset: number; limit: number }) => Promise<{
  rows: Row[]
  total: number
  /** True by default. */
  complete?: boolean
}>

/** `perPage`: rows that one answer may hold. */
export function makePages<Row>(fetchPage: FetchPage<Row>, perPage = rowsPerPage): StoreApi<PagesState<Row>> {
  const asked = new Set<number>()
  let inSight = { from: 0, to: perPage }
  /** Answers to requests from before the last refresh are dropped, because their rows may have moved. */
  let generation = 0

  return createStore<PagesState<Row>>()((set, get) => {
    async function fetchInto(offset: number): Promise<void> {
      const askedIn = generation
      try {
        const { rows, total, complete = true } = await fetchPage({ offset, limit: perPage })
        if (askedIn !== generation) return
        const known = new Map([...get().rows].filter(([index]) => index < total))
        rows.forEach((row, at) => known.set(offset + at, row))
        set({ rows: known, total, complete, fault: null })
      } catch (error) {
        if (askedIn !== generation) return
        asked.delete(offset)
        set({ fault: faultFrom(error) })
      }
    }

    function want(from: number, to: number): void {
      inSight = { from, to }
      for (let offset = from - (from % perPage); offset < to; offset += perPage) {
        if (asked.has(offset)) continue
        asked.add(offset)
        void fetchInto(offset)
      }
    }

    function refresh(): void {
      generation += 1
      asked.clear()
      const { from, to } = inSight
      const first = from - (from % perPage)
      const last = to + perPage
      set({ rows: new Map([...get().rows].filter(([index]) => index >= first && index < last)) })
      want(from, to)
    }

    return { total: undefined, complete: true, rows: new Map(), fault: null, want, refresh }
  })
}
