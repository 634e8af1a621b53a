/** Selection of table rows: a first column with checkboxes. A click with Shift selects the range from the last one; the checkbox in the head
 *  and Ctrl+A select all rows that the table shows. */
import { Checkbox } from '@mantine/core'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useWords } from '../words/words.tsx'
import type { Column } from './TableFrame.tsx'

export interface RowSelection<Row> {
  /** Number of selected rows, also of those that are not shown. */
  count: number
  has(row: Row): boolean
  choose(rows: readonly Row[], isChosen: boolean): void
  /** Accessible name of a row's checkbox. */
  nameOf(row: Row): string
}

/** `keyOf` identifies a row and must be the same function in every render. */
export function useRowSelection<Row, Key>(
  keyOf: (row: Row) => Key,
  nameOf: (row: Row) => string,
): RowSelection<Row> & { keys: ReadonlySet<Key>; clear(): void } {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set())
  return {
    keys,
    count: keys.size,
    has: (row) => keys.has(keyOf(row)),
    choose: (rows, isChosen) => {
      const changed = new Set(rows.map(keyOf))
      setKeys((before) => new Set(isChosen ? [...before, ...changed] : [...before].filter((key) => !changed.has(key))))
    },
    clear: () => setKeys(new Set()),
    nameOf,
  }
}

export interface SelectionColumn<Row> {
  columns: readonly Column<Row>[]
  onKeyDown?: (event: KeyboardEvent) => void
}

/** Returns the columns with that of the checkboxes before them. `rowAt` gives a shown row; `all` selects every row. */
export function useSelectionColumn<Row>(
  columns: readonly Column<Row>[],
  selection: RowSelection<Row> | undefined,
  { rowAt, count, all }: { rowAt: (index: number) => Row | undefined; count: number; all: () => void },
): SelectionColumn<Row> {
  const t = useWords()
  const anchor = useRef<number | null>(null)
  return useMemo(() => {
    if (selection === undefined) return { columns }
    const isAll = count > 0 && selection.count >= count
    const toggleAll = () => {
      if (isAll) selection.choose(rowsBetween(rowAt, 0, count - 1), false)
      else all()
    }
    const chooseAt = (row: Row, index: number, isChosen: boolean, isRange: boolean) => {
      const from = isRange ? (anchor.current ?? index) : index
      selection.choose(
        from === index ? [row] : rowsBetween(rowAt, Math.min(from, index), Math.max(from, index)),
        isChosen,
      )
      anchor.current = index
    }
    const column: Column<Row> = {
      id: 'selected',
      head: t('table.selected'),
      value: (row) => (selection.has(row) ? t('table.selected.yes') : ''),
      headCell: (
        <Checkbox
          size="xs"
          aria-label={t('table.selectAll')}
          checked={isAll}
          indeterminate={selection.count > 0 && !isAll}
          onChange={toggleAll}
        />
      ),
      cell: (row, index) => (
        <Checkbox
          size="xs"
          aria-label={selection.nameOf(row)}
          checked={selection.has(row)}
          onChange={({ currentTarget, nativeEvent }) =>
            chooseAt(row, index, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      ),
      width: 44,
    }
    return {
      columns: [column, ...columns],
      onKeyDown: (event) => {
        if (event.key !== 'a' || !(event.ctrlKey || event.metaKey) || event.target instanceof HTMLTextAreaElement)
          return
        event.preventDefault()
        all()
      },
    }
  }, [columns, selection, rowAt, count, all, t])
}

function rowsBetween<Row>(rowAt: (index: number) => Row | undefined, from: number, to: number): Row[] {
  const rows: Row[] = []
  for (let index = from; index <= to; index += 1) {
    const row = rowAt(index)
    if (row !== undefined) rows.push(row)
  }
  return rows
}
