/** All rows of a list that the engine returns in pages, for a file or a selection. */
import type { FetchPage } from './pages.ts'

export interface AllRowsOptions {
  /** Rows that one answer may hold. */
  perPage: number
  /** Rows after which it stops. */
  rowsMax: number
  onProgress?: (loaded: number, total: number) => void
}

/** Rejects with the engine's `Fault`. `total` counts also the rows beyond `rowsMax`. */
export async function allRows<Row>(
  fetchPage: FetchPage<Row>,
  { perPage, rowsMax, onProgress }: AllRowsOptions,
): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = []
  for (let total = Infinity; rows.length < Math.min(total, rowsMax);) {
    const page = await fetchPage({ offset: rows.length, limit: perPage })
    for (const row of page.rows) rows.push(row)
    total = page.rows.length === 0 ? rows.length : page.total
    onProgress?.(rows.length, total)
    if (rows.length >= Math.min(total, rowsMax)) return { rows, total }
  }
  return { rows, total: rows.length }
}
