/** Upcoming windows in the user's time zone, which is named above the table. `of` names the schedule's owner. */
import { useMemo } from 'react'
import type { ScheduleWindow } from '../../../src-main/contract/services/schedule.ts'
import { timeUtc } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useLocalTime } from './localTimes.ts'

export interface PlannedRun extends ScheduleWindow {
  of?: { job: number; harvest: string }
}

export function RunTable({ label, runs }: { label: string; runs: readonly PlannedRun[] }) {
  const t = useWords()
  const localTime = useLocalTime({ withZone: false })
  const isOfMany = runs.some((run) => run.of !== undefined)
  const columns = useMemo((): Column<PlannedRun>[] => {
    const moment = (time: string) => <time title={`${timeUtc(time)} UTC`}>{localTime(time)}</time>
    const whose: Column<PlannedRun> = {
      id: 'job',
      head: t('schedule.job'),
      value: ({ of }) => (of ? `${of.job} ${of.harvest}` : null),
      cell: ({ of }) => of && <a href={hrefOf({ place: 'job', job: of.job })}>{`${of.job}: ${of.harvest}`}</a>,
    }
    return [
      {
        id: 'begin',
        head: t('schedule.begins'),
        value: ({ begin }) => begin,
        cell: ({ begin }) => moment(begin),
        width: 206,
      },
      {
        id: 'end',
        head: t('schedule.ends'),
        value: ({ end }) => end,
        cell: ({ end }) => (end === null ? t('schedule.ends.none') : moment(end)),
        width: 206,
      },
      {
        id: 'kind',
        head: t('schedule.kind'),
        value: ({ minimal }) => t(minimal ? 'schedule.kind.minimal' : 'schedule.kind.whole'),
        width: 140,
      },
      ...(isOfMany ? [whose] : []),
    ]
  }, [t, localTime, isOfMany])
  return (
    <Table
      label={label}
      rows={runs}
      columns={columns}
      rowKey={({ begin, of }) => `${begin} ${of?.job ?? ''}`}
      tools={false}
      sortedBy={{ id: 'begin', desc: false }}
      empty={null}
    />
  )
}
