/** The newest complete run of every harvest: its size, why its domains stopped, and whether it is abnormal. */
import { useCallback, useMemo } from 'react'
import {
  domainStopMessage,
  domainStopReasons,
  type LatestRun,
} from '../../../src-main/contract/services/harvestStatistics.ts'
import { Await } from '../../parts/Await.tsx'
import { BarTable } from '../../parts/BarTable.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { RunAlarms } from './RunAlarms.tsx'

export function LatestRuns() {
  const t = useWords()
  const { services } = useSession()
  const [latest, reload] = useLoaded(useCallback(() => services.harvestStatistics.latest({}), [services]))
  useChanges(services.harvestStatistics.counted, reload)
  const columns = useLatestColumns()
  return (
    <Await of={latest} onRetry={reload}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title={t('statistics.none')} text={t('statistics.none.text')} />
        ) : (
          <>
            <Section title={t('statistics.latest')}>
              <Table
                label={t('statistics.latest')}
                rows={rows}
                columns={columns}
                rowKey={({ harvest }) => harvest}
                heightMax={480}
              />
            </Section>
            <Section title={t('statistics.stopReasons')}>
              <StopReasons rows={rows} />
            </Section>
          </>
        )
      }
    </Await>
  )
}

/** Numbers of domains by stop reason, for one or several runs. */
export function StopReasons({ rows }: { rows: readonly Pick<LatestRun, 'stopReasons'>[] }) {
  const t = useWords()
  const { count } = useFormats()
  const bars = domainStopReasons
    .map((reason) => ({ reason, domains: rows.reduce((sum, row) => sum + (row.stopReasons[reason] ?? 0), 0) }))
    .filter(({ domains }) => domains > 0)
  return (
    <div className="wide-bars">
      <BarTable
        title={t('statistics.stopReasons.text')}
        nameHead={t('statistics.stopReason')}
        amountHead={t('statistics.domains')}
        bars={bars.map(({ reason, domains }) => ({
          ...{ name: t(domainStopMessage(reason)), amount: domains, text: count(domains) },
          tone: reason === 'DOWNLOAD_COMPLETE' ? ('done' as const) : ('attention' as const),
        }))}
        empty={t('statistics.results.none')}
      />
    </div>
  )
}

function useLatestColumns(): Column<LatestRun>[] {
  const t = useWords()
  const { count, bytes } = useFormats()
  return useMemo(
    (): Column<LatestRun>[] => [
      {
        id: 'name',
        head: t('statistics.harvest'),
        value: ({ name }) => name,
        cell: ({ harvest, name }) => <a href={hrefOf({ place: 'harvest', harvest })}>{name}</a>,
      },
      { id: 'run', head: t('statistics.run'), value: ({ run }) => run, numeric: true, width: 72 },
      {
        id: 'ended',
        head: t('statistics.ended'),
        value: ({ ended }) => ended,
        cell: ({ ended }) => timeUtc(ended),
        width: 172,
      },
      { id: 'jobs', head: t('statistics.jobs'), value: ({ jobs }) => jobs, numeric: true, width: 84 },
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
        ...{ id: 'alarms', head: t('statistics.alarms'), wraps: true },
        value: ({ alarms }) => alarms.map((alarm) => t(alarm.message)).join(' '),
        cell: ({ alarms }) => <RunAlarms alarms={alarms} />,
      },
    ],
    [t, count, bytes],
  )
}
