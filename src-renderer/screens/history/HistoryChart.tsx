/** A report as bars in a real table, so that chart and data are the same elements. */
import type { HistoryReport } from '../../../src-main/contract/services/history.ts'
import { BarTable } from '../../parts/BarTable.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { useWords, type WordId } from '../../words/words.tsx'
import { cellText } from './historyCells.tsx'

export function HistoryChart({ report, chart }: Pick<HistoryReport, 'report' | 'chart'>) {
  const t = useWords()
  const formats = useFormats()
  if (chart.bars.length === 0) return null
  const titles: Partial<Record<typeof chart.names, WordId>> = {
    time: 'activity.chart.overTime',
    state: 'activity.chart.byState',
    comparison: 'activity.chart.byComparison',
  }
  // A short harvest has several bars within a second, which only milliseconds can distinguish.
  const seconds = chart.names === 'time' ? new Set(chart.bars.map(({ name }) => timeUtc(name))) : null
  const isFine = seconds !== null && seconds.size < chart.bars.length
  const nameOf = (name: string) => {
    if (chart.names === 'time') return isFine ? name.replace('T', ' ').replace('Z', '') : timeUtc(name)
    return (
      cellText({ t, formats }, chart.names, name) || t(report === 'mediaTypes' ? 'activity.unknown' : 'activity.rest')
    )
  }
  return (
    <div className="wide-bars">
      <BarTable
        title={t(titles[chart.names] ?? 'activity.chart.largest')}
        nameHead={t('activity.chart.name')}
        amountHead={t('activity.chart.amount')}
        bars={chart.bars.map(({ name, amount }) => ({
          name: nameOf(name),
          amount,
          text: cellText({ t, formats }, chart.amounts, amount),
        }))}
        empty={t('activity.none')}
      />
    </div>
  )
}
