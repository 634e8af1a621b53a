/** The exports: the running ones live, the last ones as they ended. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ExportRequest, ExportSummary } from '../../src-main/contract/services/exports.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { liveRows, type LiveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { seen, type Sighting } from './pace.ts'

export interface ExportsState {
  /** Newest first. */
  exports: Loaded<ExportSummary[]>
  /** Observed progress of each running export. */
  sightings: Readonly<Record<number, Sighting[]>>
  /** The engine is being asked. */
  starting: boolean
  refusal: Fault | null
  load(): Promise<void>
  /** True when it has begun. */
  start(request: ExportRequest): Promise<boolean>
  stop(which: number): Promise<void>
  /** Called when a refused request is edited: its fault no longer applies. */
  forgetRefusal(): void
}

export function makeExports({ exports }: Pick<Loupe, 'exports'>): StoreApi<ExportsState> {
  const rows = liveRows<ExportSummary>((one) => one.export)
  const store = createStore<ExportsState>()((set) => ({
    exports: loading,
    sightings: {},
    starting: false,
    refusal: null,
    load: async () => {
      const answered = rows.ask()
      const known = answered(await loadedFrom(exports.list({})))
      if (known) set({ exports: known })
    },
    start: async (request) => {
      set({ starting: true, refusal: null })
      const answered = rows.order()
      try {
        take(answered, await exports.start(request))
        return true
      } catch (error) {
        set({ refusal: faultFrom(error) })
        return false
      } finally {
        set({ starting: false })
      }
    },
    stop: async (which) => {
      set({ refusal: null })
      const answered = rows.order()
      try {
        take(answered, await exports.stop({ export: which }))
      } catch (error) {
        set({ refusal: faultFrom(error) })
      }
    },
    forgetRefusal: () => set({ refusal: null }),
  }))

  function take(into: LiveRows<ExportSummary>['tell'], changed: ExportSummary): void {
    const { export: number, bytesDone: done } = changed
    store.setState(({ exports: known, sightings }) => ({
      exports: into(known, changed),
      sightings: { ...sightings, [number]: seen(sightings[number] ?? [], { atMs: performance.now(), done }) },
    }))
  }

  exports.changed((one) => take(rows.tell, one))
  return store
}
