/** A list of any length with rows of different heights. Only visible rows are in the document. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type ReactNode } from 'react'

interface VirtualListProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  children: (row: Row) => ReactNode
}

const rowHeightPxGuess = 64

export function VirtualList<Row>({ label, rows, rowKey, children }: VirtualListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPxGuess,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : rowKey(row)
    },
  })
  return (
    <div className="list-scroll" ref={scroller} tabIndex={0} role="group" aria-label={label}>
      <ul className="resources" style={{ height: virtualizer.getTotalSize() }} aria-label={label}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="resource"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row !== undefined && children(row)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
