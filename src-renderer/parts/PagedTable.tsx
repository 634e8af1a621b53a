/** A table whose rows the engine hands out by pages, in its own order and by its own filter. */
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ReactNode } from 'react'
import type { PagesState } from '../state/pages.ts'
import { useWords } from '../words/words.tsx'
import { FaultNote } from './FaultNote.tsx'
import { TableFrame, type Column } from './TableFrame.tsx'

interface PagedTableProps<Row> {
  label: string
  pages: StoreApi<PagesState<Row>>
  columns: readonly Column<Row>[]
  empty: ReactNode
  heightMax?: number | string
}

export function PagedTable<Row>({ label, pages, columns, empty, heightMax }: PagedTableProps<Row>) {
  const say = useWords()
  const { total, rows, fault, want, refresh } = useStore(pages)
  return (
    <div>
      {fault && <FaultNote fault={fault} onRetry={refresh} />}
      {total === 0 ? (
        empty
      ) : (
        <>
          <p className="dimmed tabular table-count" role="status">
            {total === undefined ? say('loading') : say('table.rows', { total })}
          </p>
          <TableFrame
            label={label}
            columns={columns}
            count={total ?? 0}
            rowAt={(index) => rows.get(index)}
            keyAt={(index) => index}
            head={({ head }) => ({ content: head })}
            onSight={want}
            {...(heightMax === undefined ? {} : { heightMax })}
          />
        </>
      )}
    </div>
  )
}
