/** A table whose rows are loaded from the engine in pages, in the engine's order or in one that the user chooses. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ReactNode } from 'react'
import type { PagesState } from '../state/pages.ts'
import { useWords } from '../words/words.tsx'
import { FaultNote } from './FaultNote.tsx'
import { useSelectionColumn, type RowSelection } from './rowSelection.tsx'
import { TableFrame, type Column } from './TableFrame.tsx'
import styles from './parts.module.css'

interface PagedTableProps<Row> {
  label: string
  pages: StoreApi<PagesState<Row>>
  columns: readonly Column<Row>[]
  empty: ReactNode
  heightMax?: number | string
  /** Absent when the table has only the engine's order. */
  sorting?: PagedSorting
  /** Whether the number of rows is shown above the table; true by default. */
  hasCount?: boolean
  /** Absent where rows cannot be selected. */
  selection?: RowSelection<Row>
  /** Selects all rows, also those that are not loaded. */
  onSelectAll?: () => void
}

export interface PagedSorting {
  /** Ids of the columns by which the engine can sort. */
  by: readonly string[]
  id: string
  descending: boolean
  onSort: (id: string, descending: boolean) => void
}

export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const {
    label,
    pages,
    columns,
    empty,
    heightMax,
    sorting,
    selection,
    hasCount = true,
    onSelectAll = () => undefined,
  } = props
  const { total, rows, fault, want, refresh } = useStore(pages)
  const rowAt = (index: number) => rows.get(index)
  const shown = useSelectionColumn(columns, selection, { rowAt, count: total ?? 0, all: onSelectAll })
  return (
    <div>
      {fault && <FaultNote fault={fault} onRetry={refresh} />}
      {total === 0 ? (
        empty
      ) : (
        <>
          {hasCount && <PagedCount pages={pages} />}
          <TableFrame
            label={label}
            columns={shown.columns}
            onKeyDown={shown.onKeyDown}
            count={total ?? 0}
            rowAt={rowAt}
            keyAt={(index) => index}
            head={(column) => (sorting?.by.includes(column.id) ? sortable(column, sorting) : { content: column.head })}
            onVisible={want}
            {...(heightMax === undefined ? {} : { heightMax })}
          />
        </>
      )}
    </div>
  )
}

/** The number of rows, once it is known. */
export function PagedCount<Row>({ pages }: { pages: StoreApi<PagesState<Row>> }) {
  const t = useWords()
  const { total, complete, fault } = useStore(pages)
  return (
    <p className={`dimmed tabular ${styles.tableCount}`} role="status">
      {total === undefined ? !fault && t('loading') : t(complete ? 'table.rows' : 'table.rows.cut', { total })}
    </p>
  )
}

function sortable<Row>({ id, head }: Column<Row>, { id: by, descending, onSort }: PagedSorting) {
  const isBy = by === id
  const sort = isBy ? (descending ? 'descending' : 'ascending') : 'none'
  return {
    sort,
    content: (
      <button type="button" className={styles.sort} onClick={() => onSort(id, isBy && !descending)}>
        {head}
        {isBy && (descending ? <ArrowDown size={14} aria-hidden /> : <ArrowUp size={14} aria-hidden />)}
      </button>
    ),
  } as const
}
