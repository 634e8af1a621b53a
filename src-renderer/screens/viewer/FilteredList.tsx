/** A list of any length with a text filter. */
import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './viewer.module.css'

interface FilteredListProps<Row> {
  label: string
  rows: readonly Row[]
  textOf: (row: Row) => string
  children: (row: Row) => ReactNode
}

export function FilteredList<Row extends { id: number }>({ label, rows, textOf, children }: FilteredListProps<Row>) {
  const [filter, setFilter] = useState('')
  const shown = rows.filter((row) => isWanted(textOf(row), filter))
  return (
    <>
      <FilterField label={label} value={filter} onChange={setFilter} />
      <VirtualList label={label} rows={shown} rowKey={({ id }) => id}>
        {children}
      </VirtualList>
    </>
  )
}

export function isWanted(text: string, filter: string): boolean {
  return text.toLowerCase().includes(filter.trim().toLowerCase())
}

interface FilterFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

export function FilterField({ label, value, onChange }: FilterFieldProps) {
  const t = useWords()
  return (
    <TextInput
      className={styles.listFilter}
      size="xs"
      aria-label={t('table.filter', { label })}
      placeholder={t('table.filterHint')}
      leftSection={<Search size={14} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
