/** The loaded part of the records of one file. A file may have millions and is read from its beginning, so the list can start anywhere and
 *  grow at both ends, and its length is unknown. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { RecordRow } from '../../src-main/contract/services/records.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

/** A few screens of rows; the engine reads this many records for one answer. */
export const recordsPerPage = 100

export interface RecordsState {
  /** Records in file order. */
  rows: readonly RecordRow[]
  type: string | null
  /** All records up to this number are above the list; 0 when the list starts with the file. */
  above: number
  /** All records up to this number have been read; null at the end of the file. */
  below: number | null
  asking: boolean
  fault: Fault | null
  /** Restarts the list so that this record is in it. */
  begin(at: { number: number; type: string | null }): Promise<void>
  /** Starts the list with the file and extends it until it contains this offset, because the number of records before an offset is unknown.
   *  Gives up after `recordsSearchedMax` records; the list keeps what was loaded. */
  find(offset: number): Promise<void>
  earlier(): Promise<void>
  later(): Promise<void>
}

/** The engine's limit for one answer. */
const recordsAtOnceMax = 500
/** Number of records read in search of one offset; takes a few seconds. */
const recordsSearchedMax = 20_000

export function makeRecords({ records }: Pick<Loupe, 'records'>, file: string): StoreApi<RecordsState> {
  /** Answers to requests from before the list was restarted do not belong to it. */
  let generation = 0

  return createStore<RecordsState>()((set, get) => {
    async function page(after: number, limit = recordsPerPage): ReturnType<Loupe['records']['list']> {
      const { type } = get()
      return records.list({ file, after, limit, ...(type === null ? {} : { type }) })
    }

    async function later(limit?: number): Promise<void> {
      const { below, rows, asking } = get()
      if (below === null || asking) return
      await ask(async () => {
        const found = await page(below, limit)
        return { below: found.next, rows: [...rows, ...found.rows] }
      })
    }

    async function ask(work: () => Promise<Partial<RecordsState>>): Promise<void> {
      const askedIn = generation
      set({ asking: true, fault: null })
      try {
        const found = await work()
        if (askedIn === generation) set({ ...found, asking: false })
      } catch (error) {
        if (askedIn === generation) set({ fault: faultFrom(error), asking: false })
      }
    }

    return {
      rows: [],
      type: null,
      above: 0,
      below: 0,
      asking: false,
      fault: null,
      begin: async ({ number, type }) => {
        generation += 1
        // Shows a few rows before it as context.
        const above = Math.max(0, number - 1 - Math.floor(recordsPerPage / 10))
        set({ rows: [], type, above, below: above, asking: false })
        await get().later()
      },
      find: async (offset) => {
        generation += 1
        const searching = generation
        set({ rows: [], above: 0, below: 0, asking: false })
        for (;;) {
          await later(recordsAtOnceMax)
          const { rows, below, fault } = get()
          const isThere = (rows.at(-1)?.offset ?? -1) >= offset
          if (isThere || below === null || below >= recordsSearchedMax || fault || searching !== generation) return
        }
      },
      earlier: async () => {
        const { above, rows, asking } = get()
        if (above === 0 || asking) return
        const from = Math.max(0, above - recordsPerPage)
        await ask(async () => {
          const found = await page(from)
          return { above: from, rows: [...found.rows.filter(({ number }) => number <= above), ...rows] }
        })
      },
      later: () => later(),
    }
  })
}

/** The neighbour of a record in the list; undefined when there is none or it is not loaded. */
export function neighbourOf(
  rows: readonly RecordRow[],
  shown: { offset: number; number: number | null },
  step: 1 | -1,
): RecordRow | undefined {
  const at = rows.findIndex((row) => isSame(row, shown))
  return at === -1 ? undefined : rows[at + step]
}

export function isSame(row: RecordRow, shown: { offset: number; number: number | null }): boolean {
  return row.offset === shown.offset && (shown.number === null || row.number === shown.number)
}
