/** The runs of a job with their counts, the most recent first. */
import { useMemo } from 'react'
import type { JobRun, JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { stopMessage } from '../../../src-main/contract/services/jobSummary.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords, type Translate } from '../../words/words.tsx'

export function JobRuns({ job }: { job: JobWhole }) {
  const t = useWords()
  const columns = useRunColumns(job.runs[0]?.run ?? 0)
  return (
    <Section title={t('runs.title')}>
      <Table
        label={t('runs.title')}
        rows={job.runs}
        columns={columns}
        rowKey={({ run }) => run}
        sortedBy={{ id: 'run', desc: true }}
        heightMax={320}
        empty={<EmptyState title={t('runs.empty')} text={t('runs.empty.text')} />}
      />
    </Section>
  )
}

function useRunColumns(last: number): Column<JobRun>[] {
  const t = useWords()
  const { count, bytes, duration } = useFormats()
  return useMemo(
    () => [
      { id: 'run', head: t('runs.run'), value: ({ run }) => run, numeric: true, width: 84 },
      {
        id: 'started',
        head: t('job.started'),
        value: ({ started }) => started,
        cell: ({ started }) => timeUtc(started),
        width: 172,
      },
      {
        id: 'ended',
        head: t('job.ended'),
        value: ({ ended }) => ended,
        cell: ({ ended }) => (ended === null ? '–' : timeUtc(ended)),
        width: 172,
      },
      {
        id: 'seconds',
        head: t('job.elapsed'),
        value: ({ seconds }) => seconds,
        cell: ({ seconds }) => duration(seconds),
        numeric: true,
        width: 110,
      },
      { id: 'end', head: t('runs.end'), value: (run) => endWords(t, run, run.run === last) },
      {
        id: 'captures',
        head: t('job.fetched'),
        value: ({ captures }) => captures,
        cell: ({ captures }) => count(captures),
        numeric: true,
        width: 92,
      },
      {
        id: 'bytes',
        head: t('job.bytes'),
        value: (run) => run.bytes,
        cell: (run) => bytes(run.bytes),
        numeric: true,
        width: 100,
      },
      {
        id: 'findings',
        head: t('jobs.findings'),
        value: ({ findings }) => findings,
        cell: ({ findings }) => (findings === null ? t('runs.unknown') : count(findings)),
        numeric: true,
        width: 100,
      },
    ],
    [t, count, bytes, duration, last],
  )
}

/** The reason why the run stopped. */
function endWords(t: Translate, { ended, reason, stopReason }: JobRun, isLast: boolean): string {
  if (reason !== null) return t(reason)
  if (ended === null) return t(isLast ? 'runs.running' : 'runs.restarted')
  return stopReason === null ? t('runs.unknown') : t(stopMessage(stopReason))
}
