/** All URLs of a job, loaded in pages, because a job may have millions. */
import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { DocumentRow, outcomes } from '../../../src-main/contract/services/documents.ts'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { documentStates } from '../../../src-main/contract/states/states.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { HopPath } from '../../parts/HopPath.tsx'
import { PagedTable } from '../../parts/PagedTable.tsx'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge, ToneBadge } from '../../parts/tone.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import type { JobStore } from '../../state/job.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { DocumentLink } from './DocumentLink.tsx'

type Filter = (typeof outcomes)[number] | 'queued' | 'truncated'
const filters: readonly Filter[] = ['fetched', 'truncated', 'failed', 'excluded', 'queued']

export function JobDocuments({ job: whole, store }: { job: JobWhole; store: JobStore }) {
  const { job } = whole
  const t = useWords()
  const { services } = useSession()
  const { revision } = useStore(store)
  const [outcome, setOutcome] = useState<Filter | null>(null)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const columns = useDocumentColumns(whole)
  const pages = useMemo(
    () =>
      makePages((page) =>
        services.jobs.documents({ job, ...(outcome ? { outcome } : {}), ...(text === '' ? {} : { text }), ...page }),
      ),
    [services, job, outcome, text],
  )
  useEffect(() => pages.getState().refresh(), [pages, revision])
  const filtered = outcome !== null || text !== ''
  return (
    <Section title={t('job.documents')}>
      <Group gap="xs" mb="xs">
        <TextInput
          aria-label={t('documents.filter')}
          placeholder={t('documents.filter.hint')}
          leftSection={<Search size={16} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          aria-label={t('documents.outcome')}
          placeholder={t('documents.outcome.all')}
          clearable
          clearButtonProps={{ 'aria-label': t('documents.outcome.clear') }}
          data={filters.map((value) => ({ value, label: t(`outcome.${value}`) }))}
          value={outcome}
          onChange={(value) => setOutcome(filters.find((filter) => filter === value) ?? null)}
        />
      </Group>
      <PagedTable
        label={t('job.documents')}
        pages={pages}
        columns={columns}
        empty={
          filtered ? (
            <EmptyState title={t('documents.none')} text={t('documents.none.text')} />
          ) : (
            <EmptyState title={t('documents.empty')} text={t('documents.empty.text')} />
          )
        }
      />
    </Section>
  )
}

const outcomeTones: Record<string, Tone> = { fetched: 'done', failed: 'failed', excluded: 'idle' }

function useDocumentColumns(job: JobWhole): Column<DocumentRow>[] {
  const t = useWords()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'url',
        head: t('documents.url'),
        value: ({ url }) => url,
        cell: (row) => <DocumentLink job={job} row={row} />,
      },
      {
        id: 'outcome',
        head: t('documents.outcome'),
        value: ({ outcome }) => outcome,
        cell: ({ outcome, state, truncated }) =>
          truncated ? (
            <ToneBadge tone="attention" text={t('outcome.truncated')} />
          ) : outcome ? (
            <ToneBadge tone={outcomeTones[outcome] ?? 'idle'} text={t(`outcome.${outcome}`)} />
          ) : (
            <StateBadge table={documentStates} state={state} />
          ),
        width: 120,
      },
      { id: 'status', head: t('job.status'), value: ({ status }) => status, numeric: true, width: 84 },
      {
        id: 'why',
        head: t('documents.why'),
        value: ({ reason }) => reason && t(reason),
        cell: (row) => <span title={whyOf(t, row)}>{whyOf(t, row)}</span>,
        width: 190,
      },
      { id: 'mediaType', head: t('job.mediaType'), value: ({ mediaType }) => mediaType, width: 120 },
      {
        id: 'bytes',
        head: t('jobs.bytes'),
        value: ({ bytes }) => bytes,
        cell: ({ bytes }) => (bytes === null ? '' : formats.bytes(bytes)),
        numeric: true,
        width: 86,
      },
      {
        id: 'hops',
        head: t('documents.hops'),
        value: ({ hopPath }) => hopPath,
        cell: ({ hopPath }) => <HopPath path={hopPath} />,
        width: 68,
      },
      {
        id: 'fetched',
        head: t('documents.fetched'),
        value: ({ fetched }) => fetched,
        cell: ({ fetched }) => (fetched ? timeUtc(fetched) : ''),
        width: 172,
      },
    ],
    [t, formats, job],
  )
}

function whyOf(t: Translate, { reason, attempts, via }: DocumentRow): string {
  if (reason !== null) return attempts > 1 ? t('documents.attempts', { reason: t(reason), attempts }) : t(reason)
  return via === null ? '' : t('documents.via', { via })
}
