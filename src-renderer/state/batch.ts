/** The batch runs: those under way live, the last ones as they ended. What a run wrote comes by pieces (`batchOutput.ts`). */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BatchRequest, BatchRunSummary } from '../../src-main/contract/services/batch.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { liveRows, type LiveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { seen, type Sighting } from './pace.ts'

export interface BatchState {
  builtIns: Loaded<{ name: string; does: string }[]>
  /** Newest first. */
  runs: Loaded<BatchRunSummary[]>
  /** Observed progress of each running batch job. */
  sightings: Readonly<Record<number, Sighting[]>>
  /** The engine is being asked. */
  starting: boolean
  refusal: Fault | null
  load(): Promise<void>
  start(request: BatchRequest): Promise<void>
  stop(run: number): Promise<void>
  /** Called when a refused request is edited: its fault no longer applies. */
  forgetRefusal(): void
}

export function makeBatch({ batch }: Pick<Loupe, 'batch'>): StoreApi<BatchState> {
  const rows = liveRows<BatchRunSummary>(({ run }) => run)
  const store = createStore<BatchState>()((set, get) => {
    async function ask(request: () => Promise<BatchRunSummary>): Promise<void> {
      set({ refusal: null })
      const answered = rows.order()
      try {
        take(answered, await request())
      } catch (error) {
        set({ refusal: faultFrom(error) })
      }
    }

    return {
      builtIns: loading,
      runs: loading,
      sightings: {},
      starting: false,
      refusal: null,
      load: async () => {
        const answered = rows.ask()
        const [builtIns, listed] = await Promise.all([loadedFrom(batch.builtIns({})), loadedFrom(batch.list({}))])
        const runs = answered(listed)
        if (runs) set({ builtIns, runs })
      },
      start: async (request) => {
        if (get().starting) return
        set({ starting: true })
        await ask(() => batch.start(request))
        set({ starting: false })
      },
      stop: (run) => ask(() => batch.stop({ run })),
      forgetRefusal: () => set({ refusal: null }),
    }
  })

  function take(into: LiveRows<BatchRunSummary>['tell'], changed: BatchRunSummary): void {
    const { run, bytesDone: done } = changed
    store.setState(({ runs, sightings }) => ({
      runs: into(runs, changed),
      sightings: { ...sightings, [run]: seen(sightings[run] ?? [], { atMs: performance.now(), done }) },
    }))
  }

  batch.changed((run) => take(rows.tell, run))
  return store
}
