/** Deliveries of a job: a line for each of its outputs. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { OutputOfJob } from '../../../src-main/contract/services/outputs.ts'
import { outputNoticeStates } from '../../../src-main/contract/states/outputStates.ts'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

const counted = ['delivered', 'waiting', 'failed', 'removed', 'notTaken'] as const

/** Shows nothing for a job without outputs. */
export function JobOutputs({ job }: { job: JobWhole }) {
  const t = useWords()
  const rows = useOutputs(job)
  const columns = useColumns()
  if (rows.length === 0) return null
  return (
    <Section title={t('job.outputs')}>
      <Table label={t('job.outputs')} rows={rows} columns={columns} rowKey={({ output }) => output} tools={false} />
    </Section>
  )
}

function useColumns(): Column<OutputOfJob>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo(
    () => [
      { id: 'output', head: t('job.outputs.output'), value: ({ output }) => output },
      ...counted.map((id): Column<OutputOfJob> => ({
        ...{ id, head: t(`job.outputs.${id}`), value: ({ counts }) => counts[id], numeric: true, width: 130 },
        cell: ({ counts }) => count(counts[id]),
      })),
      {
        id: 'end',
        head: t('job.outputs.end'),
        value: ({ notice }) => notice?.state ?? '',
        cell: ({ notice }) => notice && <Notice notice={notice} />,
        width: 260,
      },
    ],
    [t, count],
  )
}

function Notice({ notice: { state, message } }: { notice: NonNullable<OutputOfJob['notice']> }) {
  const t = useWords()
  return (
    <>
      <StateBadge table={outputNoticeStates} state={state} /> {state !== 'DONE' && message && t(message)}
    </>
  )
}

/** The outputs, loaded again when the job or a delivery has changed. */
function useOutputs(job: JobWhole): OutputOfJob[] {
  const { services } = useSession()
  const [rows, setRows] = useState<OutputOfJob[]>([])
  const load = useCallback(async () => setRows(await services.outputs.ofJob({ job: job.job })), [services, job.job])
  useEffect(() => {
    void load()
    return services.outputs.changed(() => void load())
  }, [services, load, job])
  return rows
}
