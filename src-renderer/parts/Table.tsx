/** A table whose rows are all loaded: sorted by any column, filtered by text, saved as CSV. For rows that the engine returns in pages use
 *  `PagedTable`. */
import { Button, Group, TextInput } from '@mantine/core'
import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type SortingState,
} from '@tanstack/react-table'
import { ArrowDown, ArrowUp, Download, Search } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { csvOf, saveText, type CsvValue } from './csv.ts'
import { useSelectionColumn, type RowSelection } from './rowSelection.tsx'
import { TableFrame, type Column } from './TableFrame.tsx'
import styles from './parts.module.css'

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** Shown instead of the table when there are no rows. Not needed where the table is only rendered with rows. */
  empty?: ReactNode
  sortedBy?: { id: string; desc: boolean }
  /** Whether to show the filter and the export; short tables need neither. */
  tools?: boolean
  heightMax?: number | string
  aside?: ReactNode
  /** Absent where rows cannot be selected. */
  selection?: RowSelection<Row>
}

export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, rows, columns, rowKey, empty, sortedBy, tools = true, heightMax, aside, selection } = props
  const t = useWords()
  const [filter, setFilter] = useState('')
  const [sorting, setSorting] = useState<SortingState>(sortedBy ? [sortedBy] : [])
  const data = useMemo(() => matching(rows, columns, filter), [rows, columns, filter])
  const definitions = useMemo(
    () =>
      columns.map(({ id, head, value }) => ({
        id,
        header: head,
        accessorFn: value,
        sortFn: (one: { original: Row }, other: { original: Row }) =>
          compared(value(one.original), value(other.original)),
      })),
    [columns],
  )
  const table = useTable({ features, data, columns: definitions, state: { sorting }, onSortingChange: setSorting })
  const sorted = table.getRowModel().rows
  const rowAt = (index: number) => sorted[index]?.original
  const shown = useSelectionColumn(columns, selection, {
    rowAt,
    count: sorted.length,
    all: () => selection?.choose(data, true),
  })

  if (rows.length === 0) return empty
  return (
    <div>
      {tools && (
        <Group justify="space-between" mb="xs" gap="xs">
          <Group gap="xs">
            <TextInput
              aria-label={t('table.filter', { label })}
              placeholder={t('table.filterHint')}
              leftSection={<Search size={16} aria-hidden />}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
            {aside}
          </Group>
          <Group gap="sm">
            <span className="dimmed tabular" role="status">
              {t('table.shown', { shown: sorted.length, total: rows.length })}
            </span>
            <Button
              variant="default"
              size="xs"
              leftSection={<Download size={14} aria-hidden />}
              onClick={() =>
                saveText(
                  `${label}.csv`,
                  csvOf(
                    columns.map(({ head }) => head),
                    sorted.map(({ original }) => columns.map(({ value }) => value(original))),
                  ),
                )
              }
            >
              {t('table.export')}
            </Button>
          </Group>
        </Group>
      )}
      <TableFrame
        label={label}
        columns={shown.columns}
        count={sorted.length}
        rowAt={rowAt}
        onKeyDown={shown.onKeyDown}
        keyAt={(index) => {
          const row = sorted[index]
          return row ? rowKey(row.original) : index
        }}
        {...(heightMax === undefined ? {} : { heightMax })}
        head={(column) => {
          const direction = table.getColumn(column.id)?.getIsSorted() ?? false
          return {
            sort: direction === false ? 'none' : direction === 'asc' ? 'ascending' : 'descending',
            content: (
              <button
                type="button"
                className={styles.sort}
                onClick={table.getColumn(column.id)?.getToggleSortingHandler()}
              >
                {column.head}
                {direction === 'asc' && <ArrowUp size={14} aria-hidden />}
                {direction === 'desc' && <ArrowDown size={14} aria-hidden />}
              </button>
            ),
          }
        }}
      />
      {sorted.length === 0 && <p className={`dimmed ${styles.tableNone}`}>{t('table.none')}</p>}
    </div>
  )
}

function matching<Row>(rows: readonly Row[], columns: readonly Column<Row>[], filter: string): readonly Row[] {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) =>
    columns.some(({ value }) =>
      String(value(row) ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  )
}

/** Compares numbers by size and text in natural order (`file 2` before `file 10`). Missing values come first. */
function compared(one: CsvValue, other: CsvValue): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return words.compare(String(one), String(other))
}

const words = new Intl.Collator(undefined, { numeric: true })
