/** The documents of a destination in one status. Statuses change while they are shown, so that the list has no positions: it grows at its
 *  end, after the last document that is known. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { DeliveredDocument } from '../../src-main/contract/services/deliveries.ts'
import type { DeliveryState } from '../../src-main/contract/states/deliveryStates.ts'
import { faultFrom } from './loaded.ts'

export interface PlanDocumentsState {
  rows: readonly DeliveredDocument[]
  /** Whether there is nothing after these rows; undefined until the first answer. */
  isComplete: boolean | undefined
  fault: Fault | null
  /** Called when rows up to `to` (exclusive) are visible. */
  want(to: number): void
  /** Loads the rows again, up to the engine's limit for one answer. */
  refresh(): void
  /** Called when statuses have changed. A list with more rows stays as it is: someone reads far below its beginning. */
  follow(): void
}

/** A few screens of rows. */
const documentsPerPage = 200
/** The engine's limit for one answer. */
const documentsAtOnceMax = 1_000

export function makePlanDocuments(
  { deliveries }: { deliveries: Pick<Loupe['deliveries'], 'documents'> },
  at: { destination: number; state: DeliveryState },
): StoreApi<PlanDocumentsState> {
  /** An answer to a request from before the last refresh does not belong to the list. */
  let generation = 0
  let isAsking = false

  return createStore<PlanDocumentsState>()((set, get) => {
    async function ask(limit: number, after: number, before: readonly DeliveredDocument[]): Promise<void> {
      const askedIn = generation
      isAsking = true
      try {
        const found = await deliveries.documents({ ...at, after, limit })
        if (askedIn !== generation) return
        set({ rows: [...before, ...found], isComplete: found.length < limit, fault: null })
      } catch (error) {
        if (askedIn === generation) set({ fault: faultFrom(error) })
      } finally {
        if (askedIn === generation) isAsking = false
      }
    }

    return {
      rows: [],
      isComplete: undefined,
      fault: null,
      want(to) {
        const { rows, isComplete } = get()
        if (isAsking || isComplete !== false || to < rows.length) return
        void ask(documentsPerPage, rows.at(-1)?.id ?? 0, rows)
      },
      refresh() {
        generation += 1
        const limit = Math.min(documentsAtOnceMax, Math.max(documentsPerPage, get().rows.length))
        void ask(limit, 0, [])
      },
      follow() {
        if (get().rows.length <= documentsAtOnceMax) get().refresh()
      },
    }
  })
}
