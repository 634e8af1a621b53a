/** The store of the batch runs: running ones live, ended ones with their results. Their output is loaded in pieces (`batchOutput.ts`). */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BatchRequest, BatchRunSummary } from '../../src-main/contract/services/batch.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Message } from '../../src-main/contract/words/message.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { taskRows, type TaskRowsState } from './taskRows.ts'

export interface BatchState extends TaskRowsState<BatchRunSummary> {
  builtIns: Loaded<{ name: string; does: Message }[]>
  /** A request to start a run has not been answered yet. */
  starting: boolean
  refusal: Fault | null
  load(): Promise<void>
  start(request: BatchRequest): Promise<void>
  stop(task: number): Promise<void>
  /** Called when a refused request is edited: its fault no longer applies. */
  forgetRefusal(): void
}

export function makeBatch({ batch, tasks }: Pick<Loupe, 'batch' | 'tasks'>): StoreApi<BatchState> {
  const store: StoreApi<BatchState> = createStore<BatchState>()((set, get) => {
    async function ask(request: () => Promise<unknown>): Promise<void> {
      set({ refusal: null })
      await request().catch((error: unknown) => set({ refusal: faultFrom(error) }))
    }

    return {
      builtIns: loading,
      rows: loading,
      samples: {},
      starting: false,
      refusal: null,
      load: async () => {
        const builtIns = loadedFrom(batch.builtIns({}))
        await rows.load()
        set({ builtIns: await builtIns })
      },
      start: async (request) => {
        if (get().starting) return
        set({ starting: true })
        await ask(() => rows.order(() => batch.start(request)))
        set({ starting: false })
      },
      // The event at its end brings the result.
      stop: (task) => ask(() => tasks.stop({ task })),
      forgetRefusal: () => set({ refusal: null }),
    }
  })
  const rows = taskRows<BatchRunSummary>({
    tasks,
    kind: 'batch',
    get: store.getState,
    set: store.setState,
    load: () => loadedFrom(batch.list({})),
  })
  return store
}
