/** The runs of a harvest with their jobs, the newest first, also those that go on. */
import { useEffect, useMemo } from 'react'
import type { HarvestRun } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { hrefOf } from '../../routes/routes.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { jobsText } from './harvestColumns.tsx'

export function RunList({ harvest }: { harvest: number }) {
  const t = useWords()
  const { services } = useSession()
  const fetchPage = useMemo(
    () => (page: { offset: number; limit: number }) => services.harvestDefinitions.runs({ harvest, ...page }),
    [services, harvest],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.harvestDefinitions.changed, () => pages.getState().refresh())
  useChanges(services.jobs.changed, () => pages.getState().refresh())
  return (
    <FilteredPages
      label={t('harvests.runs')}
      columns={useColumns(harvest)}
      pages={pages}
      fetchPage={fetchPage}
      heightMax={320}
      empty={<EmptyState title={t('harvests.noRuns')} text={t('harvests.noRuns.text')} />}
    />
  )
}

function useColumns(harvest: number): Column<HarvestRun>[] {
  const t = useWords()
  const { count, bytes } = useFormats()
  return useMemo((): Column<HarvestRun>[] => {
    const counted = (id: 'configurations' | 'objectsExpected' | 'objects', head: string, width: number) => ({
      ...{ id, head, width, numeric: true },
      value: (run: HarvestRun) => run[id],
      cell: (run: HarvestRun) => count(run[id]),
    })
    return [
      { id: 'run', head: t('statistics.run'), value: ({ run }) => run, numeric: true, width: 72 },
      {
        ...{ id: 'generated', head: t('generated.created'), width: 172 },
        value: ({ generated }) => generated,
        cell: ({ generated }) => timeUtc(generated),
      },
      {
        ...{ id: 'jobs', head: t('statistics.jobs'), wraps: true },
        value: (run) => jobsText(t, run),
        cell: (run) => (
          <a href={hrefOf({ place: 'harvests', tab: 'jobs', filter: `harvest=${harvest}&run=${run.run}` })}>
            {jobsText(t, run)}
          </a>
        ),
      },
      counted('configurations', t('generated.configurations'), 134),
      counted('objectsExpected', t('generated.expected'), 158),
      counted('objects', t('statistics.objects'), 100),
      {
        ...{ id: 'bytes', head: t('statistics.bytes'), numeric: true, width: 100 },
        value: (run) => run.bytes,
        cell: (run) => bytes(run.bytes),
      },
      {
        ...{ id: 'ended', head: t('statistics.ended'), width: 172 },
        value: ({ ended }) => ended,
        cell: ({ ended }) => (ended === null ? t('harvests.notEnded') : timeUtc(ended)),
      },
    ]
  }, [t, count, bytes, harvest])
}
