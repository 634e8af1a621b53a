/** A table whose rows are loaded from the engine in pages, in the engine's order or in one that the user chooses. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ReactNode } from 'react'
import type { PagesState } from '../state/pages.ts'
import { useWords } from '../words/words.tsx'
import { FaultNote } from './FaultNote.tsx'
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
}

export interface PagedSorting {
  /** Ids of the columns by which the engine can sort. */
  by: readonly string[]
  id: string
  descending: boolean
  onSort: (id: string, descending: boolean) => void
}

export function PagedTable<Row>({ label, pages, columns, empty, heightMax, sorting }: PagedTableProps<Row>) {
  const t = useWords()
  const { total, complete, rows, fault, want, refresh } = useStore(pages)
  return (
    <div>
      {fault && <FaultNote fault={fault} onRetry={refresh} />}
      {total === 0 ? (
        empty
      ) : (
        <>
          <p className={`dimmed tabular ${styles.tableCount}`} role="status">
            {total === undefined ? !fault && t('loading') : t(complete ? 'table.rows' : 'table.rows.cut', { total })}
          </p>
          <TableFrame
            label={label}
            columns={columns}
            count={total ?? 0}
            rowAt={(index) => rows.get(index)}
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
