/** The runs of a job with their counts, the most recent first. */
import { useCallback, useMemo } from 'react'
import { historyRowsMax } from '../../../src-main/contract/services/history.ts'
import type { JobRun, JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { stopMessage } from '../../../src-main/contract/services/jobSummary.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { isListed, runNumbersOf, type RunNumbers } from '../../state/runNumbers.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { RunChanges } from './RunChanges.tsx'

export function JobRuns({ job }: { job: JobWhole }) {
  const t = useWords()
  const { numbers, fault } = useRunNumbers(job)
  const columns = useRunColumns(job, numbers)
  return (
    <Section title={t('runs.title')}>
      {fault && <FaultNote fault={fault} />}
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

/** Loaded again when a run begins or ends. */
function useRunNumbers({ job, runs }: JobWhole) {
  const { services } = useSession()
  const ask = useCallback(
    () => services.history.report({ report: 'runs', jobs: [job], limit: historyRowsMax }).then(runNumbersOf),
    [services, job],
  )
  const [last] = runs
  const [loaded] = useLoaded(ask, last && `${last.run} ${last.ended ?? ''}`)
  return { numbers: valueOf(loaded), fault: loaded.is === 'refused' ? loaded.fault : undefined }
}

function useRunColumns(
  { job, runs }: JobWhole,
  numbers: ReadonlyMap<number, RunNumbers> | undefined,
): Column<JobRun>[] {
  const t = useWords()
  const last = runs[0]?.run ?? 0
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
        id: 'changes',
        head: t('runs.changes'),
        value: ({ run }) => numbers?.get(run)?.changed ?? null,
        cell: ({ run, ended }) => {
          if (run === last && ended === null) return t('runs.changes.later')
          const known = numbers?.get(run)
          if (known) return <RunChanges {...{ job, run, numbers: known, isListed: isListed(run, last) }} />
          return numbers && t('runs.unknown')
        },
        width: 290,
        wraps: true,
      },
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
    [t, count, bytes, duration, last, job, numbers],
  )
}

/** The reason why the run stopped. */
function endWords(t: Translate, { ended, reason, stopReason }: JobRun, isLast: boolean): string {
  if (reason !== null) return t(reason)
  if (ended === null) return t(isLast ? 'runs.running' : 'runs.restarted')
  return stopReason === null ? t('runs.unknown') : t(stopMessage(stopReason))
}
