/** The exports: the running ones live, the last ones as they ended. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ExportRequest, ExportSummary, Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/faults.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { seen, type Sighting } from './pace.ts'

export interface ExportsState {
  /** Newest first. */
  exports: Loaded<ExportSummary[]>
  /** What each running export had done, as seen from here. */
  sightings: Readonly<Record<number, Sighting[]>>
  /** The engine is being asked. */
  starting: boolean
  refusal: Fault | null
  load(): Promise<void>
  /** True when it has begun. */
  start(request: ExportRequest): Promise<boolean>
  stop(which: number): Promise<void>
}

export function makeExports({ exports }: Pick<Loupe, 'exports'>): StoreApi<ExportsState> {
  const store = createStore<ExportsState>()((set) => ({
    exports: loading,
    sightings: {},
    starting: false,
    refusal: null,
    load: async () => set({ exports: await loadedFrom(exports.list({})) }),
    start: async (request) => {
      set({ starting: true, refusal: null })
      try {
        take(await exports.start(request))
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
      try {
        take(await exports.stop({ export: which }))
      } catch (error) {
        set({ refusal: faultFrom(error) })
      }
    },
  }))

  function take(changed: ExportSummary): void {
    store.setState(({ exports: known, sightings }) => ({
      exports: {
        is: 'ready',
        value: [
          ...(known.is === 'ready' ? known.value : []).filter((one) => one.export !== changed.export),
          changed,
        ].toSorted((one, other) => other.export - one.export),
      },
      sightings: {
        ...sightings,
        [changed.export]: seen(sightings[changed.export] ?? [], { atMs: Date.now(), done: changed.bytesDone }),
      },
    }))
  }

  exports.changed(take)
  return store
}
