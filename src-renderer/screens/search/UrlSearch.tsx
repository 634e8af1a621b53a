/** The results of a search among URLs, in the order of hosts and paths. */
import { Button, Group, Text } from '@mantine/core'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { CapturedUrl } from '../../../src-main/contract/services/search.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { allUrls } from '../../state/matches.ts'
import { useSession } from '../../state/session.tsx'
import { makeUrlSearch } from '../../state/urlSearch.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { AddToMissing } from './AddToMissing.tsx'
import { urlViewerLink } from './hitLinks.ts'
import { SaveMatches } from './SaveMatches.tsx'
import type { SearchPlace } from './searchPlace.ts'
import { Waiting } from './Waiting.tsx'

interface UrlSearchProps {
  place: SearchPlace
  /** Changes when the query is to be asked again. */
  round: number
}

/** Pause before a search is repeated while its index is being built. */
const indexingMs = 1_000

export function UrlSearch({ place: { query, match, jobs }, round }: UrlSearchProps) {
  const t = useWords()
  const { services } = useSession()
  const [store] = useState(() => makeUrlSearch(services))
  const { answers, isAsking, fault, search, more } = useStore(store)
  const found = answers.at(-1)
  const urls = useMemo(() => answers.flatMap((answer) => answer.urls), [answers])
  const compared = answers.reduce((sum, answer) => sum + answer.compared, 0)
  const chosen = jobs.join(',')
  const asked = useMemo(
    () => ({ url: query, match, jobs: chosen === '' ? [] : chosen.split(',').map(Number) }),
    [query, match, chosen],
  )
  const again = useCallback(() => void search(asked.url === '' ? undefined : asked), [search, asked])
  useEffect(again, [again, round])
  useEffect(() => {
    // Once further URLs were asked for, the list stays as it is.
    if (!found?.indexing || answers.length > 1) return
    const later = setTimeout(again, indexingMs)
    return () => clearTimeout(later)
  }, [found, answers, again])

  if (fault) return <FaultNote fault={fault} onRetry={again} />
  if (query === '') return <Text c="dimmed">{t(`search.match.${match}.meaning`)}</Text>
  if (!found) return isAsking && <Waiting />
  return (
    <section aria-label={t('search.results')}>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed" role="status">
          {found.indexing ? t('search.urls.indexing', found.indexing) : t('search.urls.shown', { count: urls.length })}
          {found.filesMissing > 0 && ` ${t('search.urls.missing', { count: found.filesMissing })}`}
        </Text>
        {urls.length > 0 && (
          <SaveMatches
            key={JSON.stringify(asked)}
            name="urls"
            collect={(onProgress) => allUrls(services.search, asked, onProgress)}
            matching={{ mode: 'urls', query, match }}
            jobs={jobs}
            columns={columnsToSave}
          />
        )}
      </Group>
      {urls.length > 0 && <Urls urls={urls} jobs={jobs} />}
      {urls.length === 0 && found.next === null && !found.indexing && (
        <EmptyState title={t('search.urls.none')} text={t('search.urls.none.text')} />
      )}
      {found.next !== null && (
        <Group mt="sm">
          <Button variant="default" loading={isAsking} onClick={() => void more()}>
            {t('search.urls.more')}
          </Button>
          {urls.length < compared && (
            <Text size="sm" c="dimmed">
              {t('search.urls.compared', { count: compared })}
            </Text>
          )}
        </Group>
      )}
    </section>
  )
}

function Urls({ urls, jobs }: { urls: readonly CapturedUrl[]; jobs: readonly number[] }) {
  const t = useWords()
  const { count } = useFormats()
  const columns = useMemo(() => columnsOf({ t, count, jobs }), [t, count, jobs])
  return <Table label={t('search.results')} rows={urls} rowKey={({ url }) => url} columns={columns} tools={false} />
}

interface Showing {
  t: Translate
  count: (number: number) => string
  jobs: readonly number[]
}

function columnsOf({ t, count, jobs }: Showing): Column<CapturedUrl>[] {
  return [
    {
      id: 'url',
      head: t('search.column.url'),
      value: ({ url }) => url,
      cell: ({ url, last }) => (
        <a href={urlViewerLink({ url, time: last, jobs })} aria-label={url}>
          <LongAddress address={url} />
        </a>
      ),
      widthMin: 300,
    },
    {
      id: 'captures',
      head: t('search.column.captures'),
      value: ({ captures }) => captures,
      cell: ({ captures, hasMoreCaptures }) => (hasMoreCaptures ? `${count(captures)}+` : count(captures)),
      numeric: true,
      width: 110,
    },
    ...(['first', 'last'] as const).map((end): Column<CapturedUrl> => {
      return {
        id: end,
        head: t(`search.column.${end}`),
        value: (row) => timeUtc(row[end]),
        cell: (row) => (
          <a
            href={urlViewerLink({ url: row.url, time: row[end], jobs })}
            aria-label={t(`search.column.${end}.open`, { url: row.url, time: timeUtc(row[end]) })}
          >
            {timeUtc(row[end])}
          </a>
        ),
        width: 180,
      }
    }),
    { id: 'mediaType', head: t('search.column.type'), value: ({ mediaType }) => mediaType, width: 150 },
    { id: 'status', head: t('search.column.status'), value: ({ status }) => status, width: 90 },
    { id: 'job', head: t('search.column.job'), value: ({ job }) => job, numeric: true, width: 80 },
    {
      id: 'missing',
      head: t('search.missing'),
      value: () => '',
      cell: ({ job, url }) => job !== null && <AddToMissing job={job} url={url} name={url} />,
      width: 150,
    },
  ]
}

const columnsToSave: readonly (readonly [head: string, value: (row: CapturedUrl) => string | number | null])[] = [
  ['url', ({ url }) => url],
  ['captures', ({ captures }) => captures],
  ['first', ({ first }) => first],
  ['last', ({ last }) => last],
  ['mediaType', ({ mediaType }) => mediaType],
  ['status', ({ status }) => status],
  ['job', ({ job }) => job],
]
