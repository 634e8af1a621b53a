/** The field of the search. A search begins with Enter or the button. */
import { Button, Group, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { SearchMode } from '../../../src-main/contract/services/search.ts'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'

interface QueryFieldProps {
  mode: SearchMode
  /** The query that is shown. */
  query: string
  onSearch: (query: string) => void
}

export function QueryField({ mode, query, onSearch }: QueryFieldProps) {
  const t = useWords()
  const [typed, setTyped] = useState(query)
  return (
    <form
      role="search"
      className={styles.query}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(typed.trim())
      }}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <TextInput
          className={styles.queryInput}
          size="md"
          type="search"
          dir="auto"
          spellCheck={false}
          autoFocus
          leftSection={<Search size={18} aria-hidden />}
          aria-label={t(`search.field.${mode}`)}
          placeholder={t(`search.field.${mode}`)}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Button type="submit" size="md">
          {t('search.verb')}
        </Button>
      </Group>
    </form>
  )
}
