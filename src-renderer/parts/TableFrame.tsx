/** The table element that all tables share, for any number of rows: only visible rows are in the document. It uses real table elements, so
 *  that a screen reader announces rows and columns; `aria-rowcount` gives the number of all rows. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import type { CsvValue } from './csv.ts'

export interface Column<Row> {
  id: string
  head: string
  /** Content of the head; by default its text, with a button that sorts. */
  headCell?: ReactNode
  /** Value for sorting, filtering and exports. */
  value: (row: Row) => CsvValue
  /** Content of the cell; by default the value. */
  cell?: (row: Row, index: number) => ReactNode
  /** Pixels; by default a share of the remaining width. */
  width?: number
  /** Minimum width in pixels when the column has a share; by default the width of a word. */
  widthMin?: number
  numeric?: boolean
  /** Keeps the column in view when the table is scrolled sideways. Only the first column can stay. */
  stays?: boolean
  /** Wraps long text instead of cutting it off. */
  wraps?: boolean
}

interface TableFrameProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  count: number
  /** Returns undefined when the row is not loaded yet. */
  rowAt: (index: number) => Row | undefined
  keyAt: (index: number) => string | number
  head: (column: Column<Row>) => { content: ReactNode; sort?: 'ascending' | 'descending' | 'none' | undefined }
  heightMax?: number | string
  onVisible?: ((from: number, to: number) => void) | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
}

const rowHeightPx = 34
/** Wide enough for a word, for columns that share the remaining width. */
const columnWidthPxMin = 160

export function TableFrame<Row>(props: TableFrameProps<Row>) {
  const { label, columns, count, rowAt, keyAt, head, heightMax = 480, onVisible, onKeyDown } = props
  const t = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    getItemKey: keyAt,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const from = first?.index ?? 0
  const to = (last?.index ?? 0) + 1
  useEffect(() => onVisible?.(from, to), [onVisible, from, to])

  const above = first?.start ?? 0
  const below = virtualizer.getTotalSize() - (last?.end ?? 0)
  const widthMinOf = ({ width, widthMin = columnWidthPxMin }: Column<Row>) => width ?? widthMin
  const tableWidthPxMin = columns.reduce((sum, column) => sum + widthMinOf(column), 0)
  const [staying] = columns.filter(({ stays }) => stays)
  const isWrapping = columns.some(({ wraps }) => wraps)
  return (
    <div
      className="table-scroll"
      ref={scroller}
      // Keeps the focused element from being covered by the column that stays.
      style={{ maxHeight: heightMax, scrollPaddingInlineStart: staying && widthMinOf(staying) }}
      tabIndex={0}
      onKeyDown={onKeyDown}
      role="group"
      aria-label={label}
    >
      <table aria-label={label} aria-rowcount={count + 1} style={{ minWidth: tableWidthPxMin }}>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={width === undefined ? undefined : { width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const { content, sort } = column.headCell ? { content: column.headCell } : head(column)
              return (
                <th
                  key={column.id}
                  scope="col"
                  aria-sort={sort}
                  data-numeric={column.numeric}
                  data-stays={column.stays}
                >
                  {content}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={columns.length} />
          {items.map(({ index, key }) => {
            const row = rowAt(index)
            return (
              <tr
                key={key}
                ref={isWrapping ? virtualizer.measureElement : undefined}
                data-index={index}
                aria-rowindex={index + 2}
                style={{ height: rowHeightPx }}
              >
                {row === undefined ? (
                  <td colSpan={columns.length} className="dimmed">
                    {t('loading')}
                  </td>
                ) : (
                  columns.map((column) => (
                    <td
                      key={column.id}
                      data-numeric={column.numeric}
                      data-stays={column.stays}
                      data-wraps={column.wraps}
                    >
                      {column.cell ? column.cell(row, index) : column.value(row)}
                    </td>
                  ))
                )}
              </tr>
            )
          })}
          <Spacer height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** Takes the space of the rows that are not in the document. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} style={{ padding: 0, border: 0 }} />
    </tr>
  )
}
