/** One report as requested: its rows in pages or all at once, with its chart, and all rows for a file. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { historyRowsMax, type HistoryCell, type HistoryReport } from '../../src-main/contract/services/history.ts'
import { allRows } from './allRows.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { makePages, type PagesState } from './pages.ts'

type Asking = Parameters<Loupe['history']['report']>[0]
type Service = Pick<Loupe['history'], 'report'>
export type HistoryRow = readonly HistoryCell[]

/** A report whose rows are all loaded. */
export interface WholeState {
  report: Loaded<HistoryReport>
  load(): Promise<void>
}

export function makeWholeReport(history: Service, query: Asking): StoreApi<WholeState> {
  return createStore<WholeState>()((set) => ({
    report: loading,
    load: async () => {
      set({ report: await loadedFrom(history.report({ ...query, limit: historyRowsMax })) })
    },
  }))
}

/** Includes the chart, which comes with the first page. */
export function makePagedReport(
  history: Service,
  query: Asking,
): { pages: StoreApi<PagesState<HistoryRow>>; chart: StoreApi<{ chart: HistoryReport['chart'] | null }> } {
  const chart = createStore<{ chart: HistoryReport['chart'] | null }>()(() => ({ chart: null }))
  const pages = makePages<HistoryRow>(async (page) => {
    const report = await history.report({ ...query, ...page })
    if (page.offset === 0) chart.setState({ chart: report.chart })
    return report
  })
  return { pages, chart }
}

/** Rows saved in one file, as many as spreadsheets can open. The command line has no such limit. */
const rowsSavedMax = 100_000

export function rowsToSave(
  history: Service,
  query: Asking,
  onProgress: (saved: number, total: number) => void,
): Promise<{ rows: HistoryRow[]; total: number }> {
  return allRows((page) => history.report({ ...query, ...page }), {
    ...{ perPage: historyRowsMax, rowsMax: rowsSavedMax, onProgress },
  })
}
