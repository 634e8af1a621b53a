/** The files of an import while they are read. Their findings are loaded in pages (`pages.ts`). */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ImportedFile } from '../../src-main/contract/services/harvests.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { isFinal } from '../../src-main/contract/states/stateTable.ts'
import { importedFileStates } from '../../src-main/contract/states/states.ts'
import { importCounts, type ImportCounts } from '../../src-main/contract/importCounts.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { seen, type ProgressSample } from './pace.ts'

export interface ImportedState {
  files: Loaded<ImportedFile[]>
  /** Observed progress in bytes over all files. */
  samples: readonly ProgressSample[]
  /** Incremented whenever there may be new findings. */
  revision: number
  load(): Promise<void>
}

export type ImportedServices = { harvests: Pick<Loupe['harvests'], 'imported' | 'importChanged'> }
/** `open` loads and follows the import; `close` ends that. */
export type ImportedStore = StoreApi<ImportedState> & { open(): void; close(): void }

export interface ImportTotals extends ImportCounts {
  bytesDone: number
  bytesTotal: number
  records: number
  captures: number
  errors: number
  warnings: number
  notes: number
}

export function makeImported({ harvests }: ImportedServices, job: number): ImportedStore {
  const store = createStore<ImportedState>()((set, get) => ({
    files: loading,
    samples: [],
    revision: 0,
    load: async () => {
      const files = await loadedFrom(harvests.imported({ job }))
      set({ files, revision: get().revision + 1, ...(files.is === 'ready' ? { samples: samplesOf(files.value) } : {}) })
    },
  }))

  function samplesOf(files: readonly ImportedFile[]): ProgressSample[] {
    return seen(store.getState().samples, { atMs: performance.now(), done: totalsOf(files).bytesDone })
  }

  let unfollow: (() => void) | undefined
  return Object.assign(store, {
    open: () => {
      unfollow ??= harvests.importChanged((changed) => {
        if (changed.job !== job) return
        const { files, revision } = store.getState()
        if (files.is !== 'ready') return
        const value = withChanged(files.value, changed.files)
        const settledMore = settledOf(value) !== settledOf(files.value)
        store.setState({
          files: { is: 'ready', value },
          samples: samplesOf(value),
          // Findings are stored with their file when it has been read.
          revision: settledMore ? revision + 1 : revision,
        })
      })
      void store.getState().load()
    },
    close: () => {
      unfollow?.()
      unfollow = undefined
    },
  })
}

/** A file that was found in a folder or package in the meantime is added at the end. */
function withChanged(known: readonly ImportedFile[], changed: readonly ImportedFile[]): ImportedFile[] {
  const news = new Map(changed.map((file) => [file.from, file]))
  const merged = known.map((file) => {
    const newer = news.get(file.from)
    news.delete(file.from)
    return newer ?? file
  })
  return [...merged, ...news.values()]
}

export function totalsOf(files: readonly ImportedFile[]): ImportTotals {
  const sum = (of: (file: ImportedFile) => number) => files.reduce((total, file) => total + of(file), 0)
  return {
    ...importCounts(files),
    // A rejected file is not read to its end.
    bytesDone: sum((file) => (isSettled(file) ? file.bytesTotal : file.bytesDone)),
    bytesTotal: sum((file) => file.bytesTotal),
    records: sum((file) => file.records),
    captures: sum((file) => file.captures),
    errors: sum(({ findings }) => findings.errors),
    warnings: sum(({ findings }) => findings.warnings),
    notes: sum(({ findings }) => findings.notes),
  }
}

/** Number of files whose import has ended, whatever its result. */
function settledOf(files: readonly ImportedFile[]): number {
  return files.filter(isSettled).length
}

function isSettled({ state }: ImportedFile): boolean {
  return isFinal(importedFileStates, state)
}
