/** The runs of a job with their numbers, the last first. */
import { useMemo } from 'react'
import type { JobRun, JobWhole } from '../../../src-main/contract/contract.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords, type Say } from '../../words/words.tsx'

export function JobRuns({ job }: { job: JobWhole }) {
  const say = useWords()
  const columns = useRunColumns(job.runs[0]?.run ?? 0)
  return (
    <Section title={say('runs.title')}>
      <Table
        label={say('runs.title')}
        rows={job.runs}
        columns={columns}
        rowKey={({ run }) => run}
        sortedBy={{ id: 'run', desc: true }}
        heightMax={320}
        empty={<EmptyState title={say('runs.empty')} text={say('runs.empty.text')} />}
      />
    </Section>
  )
}

function useRunColumns(last: number): Column<JobRun>[] {
  const say = useWords()
  const { count, bytes, duration } = useFormats()
  return useMemo(
    () => [
      { id: 'run', head: say('runs.run'), value: ({ run }) => run, numeric: true, width: 84 },
      {
        id: 'started',
        head: say('job.started'),
        value: ({ started }) => started,
        cell: ({ started }) => timeUtc(started),
        width: 172,
      },
      {
        id: 'ended',
        head: say('job.ended'),
        value: ({ ended }) => ended,
        cell: ({ ended }) => (ended === null ? '–' : timeUtc(ended)),
        width: 172,
      },
      {
        id: 'seconds',
        head: say('job.elapsed'),
        value: ({ seconds }) => seconds,
        cell: ({ seconds }) => duration(seconds),
        numeric: true,
        width: 110,
      },
      { id: 'end', head: say('runs.end'), value: (run) => endWords(say, run, run.run === last) },
      {
        id: 'captures',
        head: say('job.fetched'),
        value: ({ captures }) => captures,
        cell: ({ captures }) => count(captures),
        numeric: true,
        width: 92,
      },
      {
        id: 'bytes',
        head: say('job.bytes'),
        value: (run) => run.bytes,
        cell: (run) => bytes(run.bytes),
        numeric: true,
        width: 100,
      },
      {
        id: 'findings',
        head: say('jobs.findings'),
        value: ({ findings }) => findings,
        cell: ({ findings }) => (findings === null ? say('runs.unknown') : count(findings)),
        numeric: true,
        width: 100,
      },
    ],
    [say, count, bytes, duration, last],
  )
}

/** Why it stopped. */
function endWords(say: Say, { ended, reason, stopReason }: JobRun, isLast: boolean): string {
  if (reason !== null) return reason
  if (ended === null) return say(isLast ? 'runs.running' : 'runs.restarted')
  return stopReason === null ? say('runs.unknown') : say(`stop.${stopReason}`)
}
