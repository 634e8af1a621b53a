/** All jobs with their schedules in words, what they wait for, and a button to change the schedule. */
import { useMemo } from 'react'
import type { JobSchedule } from '../../../src-main/contract/services/schedule.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { jobLook } from '../jobs/jobWords.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useLocalTime } from './localTimes.ts'

interface ScheduleTableProps {
  jobs: readonly JobSchedule[]
  onChange: (job: JobSchedule) => void
}

export function ScheduleTable({ jobs, onChange }: ScheduleTableProps) {
  const t = useWords()
  const localTime = useLocalTime({ withZone: true })
  const columns = useMemo(
    (): Column<JobSchedule>[] => [
      {
        id: 'job',
        head: t('schedule.job'),
        value: ({ job, harvest }) => `${job}: ${harvest}`,
        cell: ({ job, harvest }) => <a href={hrefOf({ place: 'job', job })}>{`${job}: ${harvest}`}</a>,
        wraps: true,
      },
      {
        id: 'state',
        head: t('schedule.state'),
        value: (row) => jobLook(t, row).text,
        cell: (row) => <ToneBadge {...jobLook(t, row)} />,
        width: 180,
      },
      { id: 'words', head: t('schedule.words'), value: (row) => scheduleText(t, row), wraps: true },
      {
        id: 'next',
        head: t('schedule.next'),
        value: ({ next }) => next[0]?.begin ?? null,
        cell: ({ next: [first] }) =>
          first ? <time title={`${timeUtc(first.begin)} UTC`}>{localTime(first.begin)}</time> : t('schedule.next.none'),
        width: 245,
      },
      { id: 'doing', head: t('schedule.doing'), value: ({ doing }) => t(doing), wraps: true },
      {
        id: 'change',
        head: t('schedule.actions'),
        value: () => null,
        cell: (row) => <ChangeButton row={row} onChange={onChange} />,
        width: 168,
      },
    ],
    [t, localTime, onChange],
  )
  return <Table label={t('schedule.jobs')} rows={jobs} columns={columns} rowKey={({ job }) => job} empty={null} />
}

function ChangeButton({ row, onChange }: { row: JobSchedule; onChange: (job: JobSchedule) => void }) {
  const t = useWords()
  const action = row.schedule ? 'schedule.change' : 'schedule.give'
  return (
    <ActionButton
      needs="schedules.set"
      size="compact-sm"
      variant="default"
      aria-label={t(`${action}.of`, { job: row.job, name: row.harvest })}
      onClick={() => onChange(row)}
    >
      {t(action)}
    </ActionButton>
  )
}

export function scheduleText(t: Translate, { schedule, words }: Pick<JobSchedule, 'schedule' | 'words'>): string {
  if (schedule === null) return t('schedule.words.none')
  const text = words.map((record) => t(record)).join('; ')
  return schedule.startMethod === 'DISABLE' ? t('schedule.off', { words: text }) : text
}
