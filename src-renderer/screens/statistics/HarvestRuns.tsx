/** The complete runs of one harvest, with charts of their sizes and what is abnormal about them. */
import { useCallback, useMemo } from 'react'
import type { RunStatistics } from '../../../src-main/contract/services/harvestStatistics.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { StopReasons } from './LatestRuns.tsx'
import { RunAlarms } from './RunAlarms.tsx'
import { RunsChart } from './RunsChart.tsx'

/** Runs that one answer may hold. */
const runsMax = 1_000

export function HarvestRuns({ harvest }: { harvest: number }) {
  const t = useWords()
  const { services } = useSession()
  const ask = useCallback(() => services.harvestStatistics.ofHarvest({ harvest, limit: runsMax }), [services, harvest])
  const [runs, reload] = useLoaded(ask)
  useChanges(services.harvestStatistics.counted, reload)
  const columns = useRunColumns(harvest)
  return (
    <Await of={runs} onRetry={reload}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title={t('statistics.runs.none')} text={t('statistics.runs.none.text')} />
        ) : (
          <>
            <Table
              label={t('statistics.runs')}
              rows={rows}
              columns={columns}
              rowKey={({ run }) => run}
              heightMax={360}
            />
            <div className="section">
              <RunsChart
                runs={rows.map(({ run, ended, objects, bytes, alarms }) => ({
                  ...{ name: t('statistics.bar', { run, day: ended.slice(0, 10) }), objects, bytes },
                  isAbnormal: alarms.length > 0,
                }))}
              />
            </div>
            <div className="section">
              <StopReasons rows={rows.slice(0, 1)} />
            </div>
          </>
        )
      }
    </Await>
  )
}

function useRunColumns(harvest: number): Column<RunStatistics>[] {
  const t = useWords()
  const { count, bytes } = useFormats()
  return useMemo(
    (): Column<RunStatistics>[] => [
      { id: 'run', head: t('statistics.run'), value: ({ run }) => run, numeric: true, width: 72 },
      {
        id: 'ended',
        head: t('statistics.ended'),
        value: ({ ended }) => ended,
        cell: ({ ended }) => timeUtc(ended),
        width: 172,
      },
      {
        id: 'jobs',
        head: t('statistics.jobs'),
        value: ({ jobs }) => jobs,
        cell: ({ run, jobs }) => (
          <a href={hrefOf({ place: 'harvests', tab: 'jobs', filter: `harvest=${harvest}&run=${run}` })}>
            {count(jobs)}
          </a>
        ),
        numeric: true,
        width: 84,
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
        ...{ id: 'alarms', head: t('statistics.alarms'), wraps: true },
        value: ({ alarms }) => alarms.map((alarm) => t(alarm.message)).join(' '),
        cell: ({ alarms }) => <RunAlarms alarms={alarms} />,
      },
    ],
    [t, count, bytes, harvest],
  )
}
