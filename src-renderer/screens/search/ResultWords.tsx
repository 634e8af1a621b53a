/** The words that tell most about the results of a query, as a picture and as a table. They are read on request: it takes a moment. */
import { Anchor, Button, Text } from '@mantine/core'
import { Cloud } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { WordCloud } from '../../parts/WordCloud.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'

interface ResultWordsProps {
  query: string
  /** Narrows the query to results with a word. */
  onWord: (word: string) => void
}

export function ResultWords({ query, onWord }: ResultWordsProps) {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.words}>
      <Button
        variant="default"
        size="xs"
        leftSection={<Cloud size={14} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'search.words.hide' : 'search.words.show')}
      </Button>
      {isOpen && <Words query={query} onWord={onWord} />}
    </div>
  )
}

function Words({ query, onWord }: ResultWordsProps) {
  const t = useWords()
  const { services } = useSession()
  const [found, reload] = useLoaded(useCallback(() => services.search.words({ query }), [services, query]))
  return (
    <Section title={t('search.words')}>
      <Await of={found} onRetry={reload}>
        {({ words, read }) =>
          words.length === 0 ? (
            <Text>{t('search.words.none')}</Text>
          ) : (
            <>
              <Text size="sm" c="dimmed" mb="xs">
                {t('search.words.text', { read })}
              </Text>
              <div className="card">
                <WordCloud label={t('search.words.picture')} words={words} />
              </div>
              <WordTable words={words} onWord={onWord} />
            </>
          )
        }
      </Await>
    </Section>
  )
}

type Word = Awaited<ReturnType<Loupe['search']['words']>>['words'][number]

function WordTable({ words, onWord }: { words: Word[] } & Pick<ResultWordsProps, 'onWord'>) {
  const t = useWords()
  const { count } = useFormats()
  const columns = useMemo(
    (): Column<Word>[] => [
      {
        ...{ id: 'word', head: t('search.words.word') },
        value: ({ word }) => word,
        cell: ({ word }) => (
          <Anchor component="button" type="button" onClick={() => onWord(word)}>
            <bdi>{word}</bdi>
          </Anchor>
        ),
      },
      {
        ...{ id: 'documents', head: t('search.words.documents'), numeric: true, width: 150 },
        value: ({ documents }) => documents,
        cell: ({ documents }) => count(documents),
      },
      {
        ...{ id: 'weight', head: t('search.words.weight'), numeric: true, width: 130 },
        value: ({ weight }) => weight,
        cell: ({ weight }) => weight.toFixed(2),
      },
    ],
    [t, count, onWord],
  )
  return (
    <Table
      label={t('search.words')}
      rows={words}
      columns={columns}
      rowKey={({ word }) => word}
      sortedBy={{ id: 'weight', desc: true }}
      heightMax={260}
    />
  )
}
