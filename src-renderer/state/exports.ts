/** The store of the exports: running ones live, ended ones with their results. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ExportRequest, ExportSummary } from '../../src-main/contract/services/exports.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom, loadedFrom, loading } from './loaded.ts'
import { taskRows, type TaskRowsState } from './taskRows.ts'

export interface ExportsState extends TaskRowsState<ExportSummary> {
  /** A request to start an export has not been answered yet. */
  starting: boolean
  refusal: Fault | null
  load(): Promise<void>
  /** Resolves with true when the export was started. */
  start(request: ExportRequest): Promise<boolean>
  stop(task: number): Promise<void>
  /** Called when a refused request is edited: its fault no longer applies. */
  forgetRefusal(): void
}

export function makeExports({ exports, tasks }: Pick<Loupe, 'exports' | 'tasks'>): StoreApi<ExportsState> {
  const store: StoreApi<ExportsState> = createStore<ExportsState>()((set) => ({
    rows: loading,
    samples: {},
    starting: false,
    refusal: null,
    load: () => rows.load(),
    start: async (request) => {
      set({ starting: true, refusal: null })
      try {
        await rows.order(() => exports.start(request))
        return true
      } catch (error) {
        set({ refusal: faultFrom(error) })
        return false
      } finally {
        set({ starting: false })
      }
    },
    // The event at its end brings the result.
    stop: async (task) => {
      set({ refusal: null })
      await tasks.stop({ task }).catch((error: unknown) => set({ refusal: faultFrom(error) }))
    },
    forgetRefusal: () => set({ refusal: null }),
  }))
  const rows = taskRows<ExportSummary>({
    tasks,
    kind: 'export',
    get: store.getState,
    set: store.setState,
    load: () => loadedFrom(exports.list({})),
  })
  return store
}
