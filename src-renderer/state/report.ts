/** The preservation report, created on request and kept until the next request. Saving creates a new report, which is then shown, so that
 *  screen and file agree. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { reportFormats } from '../../src-main/contract/shapes/choices.ts'
import type { PreservationReport } from '../../src-main/contract/services/archiveStatus.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'

export type ReportFormat = (typeof reportFormats)[number]
type Made = Awaited<ReturnType<Loupe['archive']['report']>>

export interface ReportState {
  /** Null before the first request. */
  report: Loaded<PreservationReport> | null
  making: boolean
  make(): Promise<void>
  /** Resolves with undefined when the report could not be created; the fault is in `report`. */
  made(format: ReportFormat): Promise<Made | undefined>
}

export function makeReport({ archive }: { archive: Pick<Loupe['archive'], 'report'> }): StoreApi<ReportState> {
  return createStore<ReportState>()((set, get) => {
    async function ask(format: ReportFormat): Promise<Made | undefined> {
      set({ making: true, report: get().report ?? loading })
      const asked = await loadedFrom(archive.report({ format }))
      set({ making: false, report: asked.is === 'ready' ? { is: 'ready', value: asked.value.data } : asked })
      return asked.is === 'ready' ? asked.value : undefined
    }
    return { report: null, making: false, make: async () => void (await ask('json')), made: ask }
  })
}
