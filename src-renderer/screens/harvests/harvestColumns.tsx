/** Columns of the list of harvests. */
import { useMemo } from 'react'
import type { HarvestRow } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { generatedLabel, generatedStatuses } from '../../../src-main/contract/states/generatedStatuses.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { useLocalTime } from '../schedule/localTimes.ts'
import { harvestLook } from './harvestLook.ts'

export function useHarvestColumns(): Column<HarvestRow>[] {
  const t = useWords()
  const { count } = useFormats()
  const localTime = useLocalTime({ withZone: true })
  return useMemo(
    (): Column<HarvestRow>[] => [
      {
        ...{ id: 'name', head: t('timings.name'), wraps: true },
        value: ({ name }) => name,
        cell: ({ harvest, name }) => <a href={hrefOf({ place: 'harvest', harvest })}>{name}</a>,
      },
      { id: 'kind', head: t('harvests.kind'), value: ({ kind }) => t(`harvests.kind.${kind}`), width: 110 },
      {
        ...{ id: 'state', head: t('generated.status'), width: 150 },
        value: (row) => harvestLook(t, row).text,
        cell: (row) => <ToneBadge {...harvestLook(t, row)} />,
      },
      { id: 'schedule', head: t('harvests.schedule'), value: ({ schedule }) => schedule, width: 150 },
      {
        ...{ id: 'next', head: t('timings.next'), width: 240 },
        value: ({ nextRun }) => nextRun,
        cell: ({ nextRun }) =>
          nextRun === null ? '–' : <time title={`${timeUtc(nextRun)} UTC`}>{localTime(nextRun)}</time>,
      },
      {
        ...{ id: 'configurations', head: t('generated.configurations'), numeric: true, width: 134 },
        value: ({ configurations }) => configurations,
        cell: ({ configurations, kind }) => (kind === 'snapshot' ? t('harvests.allDomains') : count(configurations)),
      },
      { id: 'runs', head: t('harvests.runs'), value: ({ runs }) => runs, numeric: true, width: 72 },
      { id: 'jobs', head: t('statistics.jobs'), value: (row) => jobsText(t, row), wraps: true },
    ],
    [t, count, localTime],
  )
}

/** Numbers of jobs by status, such as "Done 3, Failed 1". */
export function jobsText(t: Translate, { jobs }: Pick<HarvestRow, 'jobs'>): string {
  return generatedStatuses
    .flatMap((status) => {
      const count = jobs[status] ?? 0
      return count === 0 ? [] : [t('harvests.jobsOf', { status: t(generatedLabel(status)), count })]
    })
    .join(', ')
}
