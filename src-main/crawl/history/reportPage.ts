/** What every report is made of, before it is handed out. */
import type { CellKind, HistoryCell, HistoryQuery, HistoryReport } from '../../contract/services/history.ts'
import type { Store } from '../../storage/storage.ts'
import { barsMax } from './limits.ts'

export type Made = Omit<HistoryReport, 'report'>

/** Resolves when the report is made; rejects with the signal's reason when nobody wants it any more. */
export type MakeReport = (source: ReportSource, query: HistoryQuery) => Made | Promise<Made>

export interface ReportSource {
  store: Store
  nowMs: number
  signal: AbortSignal
}

export const noChart: Made['chart'] = { names: 'text', amounts: 'count', bars: [] }

/** Of rows that are all here, the largest first: one page of them, and the first as bars. */
export function paged<Row>(
  all: readonly Row[],
  { offset, limit }: Pick<HistoryQuery, 'offset' | 'limit'>,
  { cells, bar, amounts }: { cells: (row: Row) => HistoryCell[]; bar: (row: Row) => Bar; amounts: CellKind },
): Made {
  const bars = offset === 0 ? all.slice(0, barsMax).map(bar) : []
  const rows = all.slice(offset, offset + limit).map(cells)
  return { rows, total: all.length, leftOut: 0, chart: { names: 'text', amounts, bars } }
}

export interface Bar {
  name: string
  amount: number
}

export function timeOf(ms: number | null): string | null {
  return ms === null || ms === 0 ? null : new Date(ms).toISOString()
}

/** `ORDER BY` for a column that a person chose; the number of the row last, so that pages never overlap. */
export function orderBy(
  columns: Readonly<Record<string, string>>,
  usual: string,
  { order, direction }: Pick<HistoryQuery, 'order' | 'direction'>,
): string {
  const by = columns[order ?? usual] ?? columns[usual]
  const way = direction === 'ascending' ? 'ASC' : 'DESC'
  return `ORDER BY ${by} ${way}, 1 ${way}`
}
