/** A list that the engine returns in pages, with a text filter, the export of all its rows as CSV, and actions on selected rows. */
import { Group, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import { allRows } from '../state/allRows.ts'
import { faultFrom } from '../state/loaded.ts'
import type { FetchPage, PagesState } from '../state/pages.ts'
import { useWords } from '../words/words.tsx'
import { csvOf, saveText } from './csv.ts'
import { PagedCount, PagedTable, type PagedSorting } from './PagedTable.tsx'
import type { RowSelection } from './rowSelection.tsx'
import { SaveAction } from './SaveAction.tsx'
import type { Column } from './TableFrame.tsx'

/** As many rows as a spreadsheet has (ECMA-376 applications: 1,048,576, with the head). */
const rowsSavedMax = 1_000_000
/** The engine's limit for one answer. */
const perPage = 1_000

interface FilteredPagesProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** The visible rows, and the same list for exports. */
  pages: StoreApi<PagesState<Row>>
  fetchPage: FetchPage<Row>
  empty: ReactNode
  /** Absent where the list cannot be filtered by text. */
  text?: { value: string; label: string; onChange: (text: string) => void }
  /** Absent when the list has only the engine's order. */
  sorting?: PagedSorting
  selection?: RowSelection<Row>
  /** Further filters. */
  aside?: ReactNode
  heightMax?: number | string
  /** Actions on the selected rows. */
  actions?: ReactNode
}

export function FilteredPages<Row>(props: FilteredPagesProps<Row>) {
  const { label, columns, pages, fetchPage, empty, text, sorting, selection, aside, actions, heightMax } = props
  const t = useWords()

  async function save(setStatus: (text: string) => void): Promise<void> {
    const { rows, total } = await allRows(fetchPage, {
      ...{ perPage, rowsMax: rowsSavedMax },
      onProgress: (saved, all) => setStatus(t('activity.saving', { saved, total: all })),
    })
    const head = columns.map((column) => column.head)
    saveText(`${label}.csv`, csvOf(head, rows.map((row) => columns.map(({ value }) => value(row))))) // prettier-ignore
    setStatus(rows.length < total ? t('activity.cut', { left: total - rows.length }) : '')
  }

  async function selectAll(): Promise<void> {
    const { rows: loaded, total } = pages.getState()
    if (loaded.size === total) return selection?.choose([...loaded.values()], true)
    try {
      const { rows } = await allRows(fetchPage, { perPage, rowsMax: rowsSavedMax })
      selection?.choose(rows, true)
    } catch (error) {
      pages.setState({ fault: faultFrom(error) })
    }
  }

  return (
    <div>
      <Group justify="space-between" mb="xs" gap="xs" align="end">
        <Group gap="xs" align="end">
          {text && (
            <TextInput
              aria-label={text.label}
              placeholder={t('table.filterHint')}
              leftSection={<Search size={16} aria-hidden />}
              value={text.value}
              onChange={(event) => text.onChange(event.currentTarget.value)}
            />
          )}
          {aside}
        </Group>
        <Group gap="xs">
          <PagedCount pages={pages} />
          {selection && selection.count > 0 && (
            <span className="dimmed tabular" role="status">
              {t('table.selectedRows', { count: selection.count })}
            </span>
          )}
          {actions}
          <SaveAction onSave={save} />
        </Group>
      </Group>
      <PagedTable
        label={label}
        columns={columns}
        pages={pages}
        hasCount={false}
        heightMax={heightMax ?? 'calc(100vh - 300px)'}
        empty={empty}
        {...(sorting && { sorting })}
        {...(selection && { selection, onSelectAll: () => void selectAll() })}
      />
    </div>
  )
}
