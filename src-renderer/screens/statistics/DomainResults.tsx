/** What jobs fetched of domains: the results of one job, or those of one domain over time. */
import { useEffect, useMemo } from 'react'
import {
  domainStopMessage,
  type DomainResultOut,
  type DomainStopReason,
} from '../../../src-main/contract/services/harvestStatistics.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { hrefOf } from '../../routes/routes.ts'
import { makePages, type FetchPage } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

/** `of`: whose results are shown. Its own column is left out. */
export function DomainResults({ of, fetchPage }: { of: 'job' | 'domain'; fetchPage: FetchPage<DomainResultOut> }) {
  const t = useWords()
  const { services } = useSession()
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  const columns = useResultColumns(of)
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.harvestStatistics.counted, () => pages.getState().refresh())
  return (
    <FilteredPages
      label={t('statistics.results')}
      columns={columns}
      pages={pages}
      fetchPage={fetchPage}
      empty={<EmptyState title={t('statistics.results.none')} text={t(`statistics.results.none.${of}`)} />}
    />
  )
}

const toneOf: Record<DomainStopReason, Tone> = {
  DOWNLOAD_COMPLETE: 'done',
  OBJECT_LIMIT: 'attention',
  SIZE_LIMIT: 'attention',
  CONFIG_SIZE_LIMIT: 'attention',
  DOWNLOAD_UNFINISHED: 'attention',
  CONFIG_OBJECT_LIMIT: 'attention',
  TIME_LIMIT: 'attention',
}

function useResultColumns(of: 'job' | 'domain'): Column<DomainResultOut>[] {
  const t = useWords()
  const { count, bytes } = useFormats()
  return useMemo((): Column<DomainResultOut>[] => {
    const domain: Column<DomainResultOut> = {
      id: 'domain',
      head: t('statistics.domain'),
      value: (row) => row.domain,
      cell: (row) => <a href={hrefOf({ place: 'domain', domain: row.domain })}>{row.domain}</a>,
    }
    const whose: Column<DomainResultOut>[] = [
      { id: 'at', head: t('statistics.ended'), value: ({ at }) => at, cell: ({ at }) => timeUtc(at), width: 172 },
      {
        id: 'job',
        head: t('statistics.job'),
        value: ({ job }) => job,
        cell: ({ job }) => <a href={hrefOf({ place: 'job', job })}>{job}</a>,
        numeric: true,
        width: 72,
      },
      { id: 'run', head: t('statistics.run'), value: ({ run }) => run, numeric: true, width: 72 },
    ]
    return [
      ...(of === 'job' ? [domain] : whose),
      {
        id: 'configuration',
        head: t('statistics.configuration'),
        value: ({ configuration }) => configuration,
        width: 180,
      },
      {
        ...{ id: 'objects', head: t('statistics.objects'), numeric: true, width: 110 },
        value: ({ objects }) => objects,
        cell: ({ objects }) => count(objects),
      },
      {
        ...{ id: 'bytes', head: t('statistics.bytes'), numeric: true, width: 110 },
        value: (row) => row.bytes,
        cell: (row) => bytes(row.bytes),
      },
      {
        ...{ id: 'stopReason', head: t('statistics.stopReason'), width: 270 },
        value: ({ stopReason }) => t(domainStopMessage(stopReason)),
        cell: ({ stopReason }) => <ToneBadge tone={toneOf[stopReason]} text={t(domainStopMessage(stopReason))} />,
      },
    ]
  }, [t, count, bytes, of])
}
