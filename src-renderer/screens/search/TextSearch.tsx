/** The results of a search in texts, with their facets at the side. */
import { Anchor, Button, Group, Text } from '@mantine/core'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { SearchFound, SearchResult } from '../../../src-main/contract/services/search.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { allResults } from '../../state/matches.ts'
import { toggleValue } from '../../state/queryFields.ts'
import { useSession } from '../../state/session.tsx'
import { hasMore, makeTextSearch, resultsMax, resultsOf, type TextSearch as Search } from '../../state/textSearch.ts'
import { useWords } from '../../words/words.tsx'
import { Facets } from './Facets.tsx'
import { IndexButton } from './IndexDialog.tsx'
import { QueryHelp } from './QueryHelp.tsx'
import { ResultWords } from './ResultWords.tsx'
import { SaveMatches } from './SaveMatches.tsx'
import styles from './search.module.css'
import { TextHit } from './TextHit.tsx'
import { TimeLine } from './TimeLine.tsx'
import { Waiting } from './Waiting.tsx'

interface TextSearchProps {
  query: string
  /** Changes when the query is to be asked again. */
  round: number
  onQuery: (query: string) => void
  /** Called when the dialog of the index is closed, in which documents may have been added. */
  onIndexClosed: () => void
}

export function TextSearch({ query, round, onQuery, onIndexClosed }: TextSearchProps) {
  const { services } = useSession()
  const [store] = useState(() => makeTextSearch(services))
  const {
    answers: [found],
    isAsking,
    fault,
    search,
  } = useStore(store)
  useEffect(() => void search(query === '' ? undefined : query), [search, query, round])

  if (fault) return <FaultNote fault={fault} onRetry={() => void search(query)} />
  // Mounted again with each search: a plan may have filled the index in the meantime.
  if (query === '') return <Unasked key={round} onIndexClosed={onIndexClosed} />
  if (!found) return isAsking && <Waiting />
  return (
    <>
      <Remarks found={found} onQuery={onQuery} />
      {found.total === 0 ? (
        <NothingFound key={`${query} ${round}`} onIndexClosed={onIndexClosed} />
      ) : (
        <div className={styles.layout} aria-busy={isAsking}>
          <Facets facets={found.facets} query={query} onToggle={(...of) => onQuery(toggleValue(query, ...of))} />
          <Results
            store={store}
            onPeriod={(period) => onQuery(toggleValue(query, 'year', period))}
            onWord={(word) => onQuery(`${query} ${word}`)}
          />
        </div>
      )}
    </>
  )
}

/** Whether nothing is in the index; undefined: not known yet. */
function useIsEmpty(): boolean | undefined {
  const { services } = useSession()
  const [status] = useLoaded(useCallback(() => services.search.status({}), [services]))
  const known = valueOf(status)
  return known && known.contents === 0
}

type Indexing = Pick<TextSearchProps, 'onIndexClosed'>

function Unasked({ onIndexClosed }: Indexing) {
  return useIsEmpty() === true ? <NothingIndexed onIndexClosed={onIndexClosed} /> : <QueryHelp />
}

function NothingFound({ onIndexClosed }: Indexing) {
  const t = useWords()
  return useIsEmpty() === true ? (
    <NothingIndexed onIndexClosed={onIndexClosed} />
  ) : (
    <EmptyState title={t('search.none')} text={t('search.none.text')} />
  )
}

function NothingIndexed({ onIndexClosed }: Indexing) {
  const t = useWords()
  return (
    <EmptyState title={t('search.empty')} text={t('search.empty.text')}>
      <IndexButton text={t('search.empty.add')} onClosed={onIndexClosed} />
    </EmptyState>
  )
}

/** What may not be meant in the query, and another spelling. */
function Remarks({
  found: { findings, suggestion },
  onQuery,
}: {
  found: SearchFound
  onQuery: (query: string) => void
}) {
  const t = useWords()
  return (
    <>
      {findings.map((finding) => (
        <Text key={t(finding)} size="sm" mb="xs" role="status">
          {t(finding)}
        </Text>
      ))}
      {suggestion !== null && (
        <Text mb="xs">
          {t('search.meant')}{' '}
          <Anchor component="button" type="button" fw={650} onClick={() => onQuery(suggestion)}>
            <bdi>{suggestion}</bdi>
          </Anchor>
        </Text>
      )}
    </>
  )
}

interface ResultsProps {
  store: Search
  onPeriod: (period: string) => void
  onWord: (word: string) => void
}

function Results({ store, onPeriod, onWord }: ResultsProps) {
  const t = useWords()
  const { services } = useSession()
  const { query = '', answers, isAsking, more } = useStore(store)
  const results = useMemo(() => resultsOf(answers), [answers])
  const [found] = answers
  if (!found) return null
  return (
    <section aria-label={t('search.results')} className={styles.results}>
      <TimeLine found={found} query={query} onToggle={onPeriod} />
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed" role="status">
          {t('search.total', { total: found.total })}
        </Text>
        <SaveMatches
          key={query}
          name="search"
          collect={(onProgress) => allResults(services.search, query, onProgress)}
          matching={{ mode: 'text', query, match: 'prefix' }}
          jobs={[]}
          columns={columnsToSave}
        />
      </Group>
      <ResultWords key={query} query={query} onWord={onWord} />
      <ol className={styles.hits}>
        {results.map((result) => (
          // A result is a content, shown at one place.
          <TextHit key={`${result.file} ${result.offset}`} result={result} />
        ))}
      </ol>
      {hasMore(answers) && (
        <Button variant="default" loading={isAsking} onClick={() => void more()}>
          {t('search.more')}
        </Button>
      )}
      {results.length >= resultsMax && found.total > results.length && (
        <Text size="sm" c="dimmed">
          {t('search.cut', { shown: results.length })}
        </Text>
      )}
    </section>
  )
}

/** Heads are the names of the fields in the contract, as in the JSON. */
const columnsToSave: readonly (readonly [head: string, value: (row: SearchResult) => string | number | null])[] = [
  ['title', ({ title }) => title],
  ['url', ({ url }) => url],
  ['time', ({ time }) => time],
  ['job', ({ job }) => job],
  ['status', ({ status }) => status],
  ['mediaType', ({ mediaType }) => mediaType],
  ['language', ({ language }) => language],
  ['file', ({ file }) => file],
  ['offset', ({ offset }) => offset],
  ['captures', ({ captures }) => captures],
  ['urls', ({ urls }) => urls],
  ['snippet', ({ snippet }) => snippet.map(({ text }) => text).join('')],
]
