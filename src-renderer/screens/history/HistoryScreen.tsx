/** Reports on activities of the crawler and states of URLs, each with its filters, as chart and as table. */
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import {
  historyReports,
  listedRunsMax,
  type CellKind,
  type HistoryCell,
  type HistoryReport,
} from '../../../src-main/contract/services/history.ts'
import { Await } from '../../parts/Await.tsx'
import { csvOf, saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { PagedTable } from '../../parts/PagedTable.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { SaveAction } from '../../parts/SaveAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { makePagedReport, makeWholeReport, rowsToSave, type HistoryRow } from '../../state/historyReport.ts'
import { useSession } from '../../state/session.tsx'
import { isWord, useWords, type Translate } from '../../words/words.tsx'
import { cellShown } from './historyCells.tsx'
import { draftOf, queryOf, type HistoryAsking } from './historyDraft.ts'
import { HistoryChart } from './HistoryChart.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'

/** Mounted again for each filter in the URL (by its key). */
export function HistoryScreen({ filter }: { filter: string | undefined }) {
  const t = useWords()
  const [draft, setDraft] = useState(() => draftOf(filter))
  const [settled] = useDebouncedValue(draft, typingPauseMs)
  const query = useMemo(() => queryOf(settled), [settled])
  return (
    <>
      <PageHead title={t('activity.title')} />
      <HistoryFilters draft={draft} onChange={setDraft} />
      {query && <Report key={query.report} query={query} />}
    </>
  )
}

function Report({ query }: { query: HistoryAsking }) {
  const t = useWords()
  return (
    <Section title={t(`activity.report.${query.report}`)}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`activity.meaning.${query.report}`, { runs: listedRunsMax })}
      </Text>
      {historyReports[query.report].paged ? <PagedReport query={query} /> : <WholeReport query={query} />}
    </Section>
  )
}

/** Sortable columns of reports that are loaded by pages. */
const orders: Partial<Record<HistoryAsking['report'], readonly string[]>> = {
  history: ['started', 'activity', 'job', 'identifier', 'result', 'bytes', 'took'],
  documents: ['identifier', 'job', 'state', 'status', 'due', 'attempts', 'fetched', 'bytes'],
}

function PagedReport({ query }: { query: HistoryAsking }) {
  const t = useWords()
  const { services } = useSession()
  const [sorted, setSorted] = useState<{ id: string; descending: boolean } | null>(null)
  const asking = useMemo<HistoryAsking>(
    () => ({
      ...query,
      ...(sorted && { order: sorted.id, direction: sorted.descending ? 'descending' : 'ascending' }),
    }),
    [query, sorted],
  )
  const { pages, chart: chartStore } = useMemo(() => makePagedReport(services.history, asking), [services, asking])
  const { chart } = useStore(chartStore)
  useEffect(() => pages.getState().refresh(), [pages])
  const usual = query.report === 'history' ? { id: 'started', descending: true } : { id: '', descending: true }
  return (
    <>
      {chart && <HistoryChart report={query.report} chart={chart} />}
      <Section title={t('activity.rows')} actions={<Save query={asking} />}>
        <PagedTable
          label={t('activity.rows')}
          pages={pages}
          columns={useColumns(query.report)}
          heightMax={560}
          empty={<Nothing />}
          sorting={{
            by: orders[query.report] ?? [],
            ...(sorted ?? usual),
            onSort: (id, descending) => setSorted({ id, descending }),
          }}
        />
      </Section>
    </>
  )
}

function WholeReport({ query }: { query: HistoryAsking }) {
  const { services } = useSession()
  const store = useMemo(() => makeWholeReport(services.history, query), [services, query])
  const { report, load } = useStore(store)
  useEffect(() => void load(), [load])
  return (
    <Await of={report} onRetry={() => void load()}>
      {(value) => <Whole report={value} />}
    </Await>
  )
}

function Whole({ report }: { report: HistoryReport }) {
  const t = useWords()
  const formats = useFormats()
  const columns = useColumns(report.report)
  const keys = useMemo(() => new Map(report.rows.map((row, index) => [row as HistoryRow, index])), [report])
  if (report.rows.length === 0) return <Nothing />
  const { leftOut } = report
  return (
    <>
      <HistoryChart report={report.report} chart={report.chart} />
      {leftOut > 0 && (
        <Text size="sm" mt="sm">
          {report.report === 'maximumBandwidth'
            ? t('activity.leftOut.bytes', { size: formats.bytes(leftOut) })
            : t('activity.leftOut', { count: leftOut })}
        </Text>
      )}
      <Section title={t('activity.rows')}>
        <Table
          label={t(`activity.report.${report.report}`)}
          rows={report.rows}
          columns={columns}
          rowKey={(row) => keys.get(row) ?? 0}
          empty={<Nothing />}
          heightMax={560}
        />
      </Section>
    </>
  )
}

function Nothing() {
  const t = useWords()
  return <EmptyState title={t('activity.none')} text={t('activity.none.text')} />
}

const widths: Partial<Record<CellKind, number>> = {
  time: 172,
  job: 72,
  comparison: 112,
  count: 120,
  bytes: 104,
  milliseconds: 104,
}

function useColumns(report: HistoryAsking['report']): Column<HistoryRow>[] {
  const t = useWords()
  const formats = useFormats()
  return useMemo(
    () =>
      Object.entries(historyReports[report].columns).map(([id, kind]: [string, CellKind], at) => {
        const head = `activity.column.${id}`
        const cellOf = (row: HistoryRow) => row[at] ?? null
        const value = (row: HistoryRow) => plainCell(t, cellOf(row))
        const width = widths[kind]
        return {
          id,
          head: isWord(head) ? t(head) : id,
          value,
          cell: (row: HistoryRow) => cellShown({ t, formats }, kind, cellOf(row)),
          ...(width !== undefined && { width }),
          wraps: kind === 'text' || kind === 'message' || kind === 'result',
          numeric: ['count', 'bytes', 'milliseconds', 'perMinute', 'bytesPerSecond'].includes(kind),
        }
      }),
    [t, formats, report],
  )
}

/** A cell as it is sorted and saved: messages as text, everything else unchanged. */
function plainCell(t: Translate, cell: HistoryCell): string | number | null {
  return cell !== null && typeof cell === 'object' ? t(cell) : cell
}

/** Saves all rows that match the filters, not only the visible ones. */
function Save({ query }: { query: HistoryAsking }) {
  const t = useWords()
  const { services } = useSession()

  async function save(setStatus: (text: string) => void): Promise<void> {
    const onProgress = (saved: number, total: number) => setStatus(t('activity.saving', { saved, total }))
    const { rows, total } = await rowsToSave(services.history, query, onProgress)
    saveText(
      `${query.report}.csv`,
      csvOf(
        Object.keys(historyReports[query.report].columns),
        rows.map((row) => row.map((cell) => plainCell(t, cell))),
      ),
    )
    setStatus(rows.length < total ? t('activity.cut', { left: total - rows.length }) : '')
  }

  return <SaveAction onSave={save} />
}
