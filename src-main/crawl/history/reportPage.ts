/** Types and helpers shared by all reports. */
import type { CellKind, HistoryCell, HistoryQuery, HistoryReport } from '../../contract/services/history.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import type { Store } from '../../storage/storage.ts'
import { barsMax } from './limits.ts'

/** A report without its name. */
export type Made = Omit<HistoryReport, 'report'>

/** Makes a report; rejects with the signal's reason if it is no longer needed. */
export type MakeReport = (source: ReportSource, query: HistoryQuery) => Made | Promise<Made>

/** Data source of a report. */
export interface ReportSource {
  store: Store
  nowMs: number
  signal: AbortSignal
}

/** An empty chart. */
export const noChart: Made['chart'] = { names: 'text', amounts: 'count', bars: [] }

/** Makes a report from all of its rows, largest first: one page of rows, and on the first page a chart of the first rows. */
export function paged<Row>(
  all: readonly Row[],
  { offset, limit }: Pick<HistoryQuery, 'offset' | 'limit'>,
  { cells, bar, amounts }: { cells: (row: Row) => HistoryCell[]; bar: (row: Row) => Bar; amounts: CellKind },
): Made {
  const bars = offset === 0 ? all.slice(0, barsMax).map(bar) : []
  const rows = all.slice(offset, offset + limit).map(cells)
  return { rows, total: all.length, leftOut: 0, chart: { names: 'text', amounts, bars } }
}

/** One bar of a chart. */
export interface Bar {
  name: string
  amount: number
}

/** Formats a time like `timeOf`; null also for 0, which is the due time of documents that are due at once. */
export function timeUnlessZero(ms: number | null): string | null {
  return timeOf(ms === 0 ? null : ms)
}

/** `ORDER BY` for a column that the user chose, then by the first column of the result, so that pages do not overlap. */
export function orderBy(
  columns: Readonly<Record<string, string>>,
  usual: string,
  { order, direction }: Pick<HistoryQuery, 'order' | 'direction'>,
): string {
  const by = columns[order ?? usual] ?? columns[usual]
  const way = direction === 'ascending' ? 'ASC' : 'DESC'
  return `ORDER BY ${by} ${way}, 1 ${way}`
}
