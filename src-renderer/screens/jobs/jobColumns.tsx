/** Columns of the list of jobs. */
import { useMemo } from 'react'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { timeUtc, useFormats, type Formats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { FindingTotals } from '../findings/FindingTotals.tsx'
import { jobLook } from './jobWords.ts'

type Columns = Column<JobSummary>[]

export function useJobColumns(): Columns {
  const t = useWords()
  const formats = useFormats()
  return useMemo(() => [...nameColumns(t), ...resultColumns(t, formats), ...progressColumns(t, formats)], [t, formats])
}

function nameColumns(t: Translate): Columns {
  return [
    { id: 'job', head: t('jobs.number'), value: ({ job }) => job, numeric: true, width: 64 },
    {
      id: 'state',
      head: t('jobs.state'),
      value: (job) => jobLook(t, job).text,
      cell: (job) => <ToneBadge {...jobLook(t, job)} />,
      width: 180,
    },
    {
      id: 'name',
      head: t('jobs.name'),
      value: ({ harvest }) => harvest,
      cell: ({ job, harvest }) => (
        <a href={hrefOf({ place: 'job', job })} title={harvest}>
          {harvest}
        </a>
      ),
    },
  ]
}

/** Columns for the number of URLs and their results. */
function resultColumns(t: Translate, { count }: Formats): Columns {
  return [
    {
      id: 'documents',
      head: t('jobs.documents'),
      value: ({ progress }) => progress.done,
      cell: ({ progress }) => `${count(progress.done)} / ${count(progress.total)}`,
      numeric: true,
      width: 130,
    },
    {
      id: 'failed',
      head: t('jobs.failed'),
      value: ({ documents }) => documents.failed,
      cell: ({ documents }) => count(documents.failed),
      numeric: true,
      width: 80,
    },
    {
      id: 'queued',
      head: t('job.queued'),
      value: ({ queued }) => queued,
      cell: ({ queued }) => count(queued),
      numeric: true,
      width: 84,
    },
    {
      id: 'findings',
      head: t('jobs.findings'),
      value: ({ findingCounts: { errors, warnings, notes } }) => errors + warnings + notes,
      cell: ({ findingCounts }) => <FindingTotals counts={findingCounts} />,
      numeric: true,
      width: 120,
    },
  ]
}

function progressColumns(t: Translate, { bytes: sizeOf, perSecond, duration }: Formats): Columns {
  return [
    {
      id: 'bytes',
      head: t('jobs.received'),
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => sizeOf(bytes),
      numeric: true,
      width: 92,
    },
    {
      id: 'rate',
      head: t('jobs.rate'),
      value: ({ documentsPerSecond }) => documentsPerSecond,
      cell: ({ documentsPerSecond }) => (documentsPerSecond > 0 ? perSecond(documentsPerSecond) : '–'),
      numeric: true,
      width: 84,
    },
    {
      id: 'started',
      head: t('jobs.started'),
      value: ({ started }) => started,
      cell: ({ started }) => (started ? timeUtc(started) : '–'),
      width: 172,
    },
    {
      id: 'seconds',
      head: t('jobs.duration'),
      value: ({ seconds }) => seconds,
      cell: ({ seconds, started }) => (started ? duration(seconds) : '–'),
      numeric: true,
      width: 92,
    },
  ]
}
