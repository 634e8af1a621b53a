/** Sizes of the runs of a harvest, or of the results of a domain, as bars: objects next to bytes, the newest first. */
import { BarTable } from '../../parts/BarTable.tsx'
import { useFormats } from '../../parts/formats.ts'
import { useWords } from '../../words/words.tsx'

export interface SizedRun {
  /** Label of the bar. */
  name: string
  objects: number
  bytes: number
  isAbnormal?: boolean
}

/** Bars that are compared at a glance. */
const barsMax = 24

export function RunsChart({ runs }: { runs: readonly SizedRun[] }) {
  const t = useWords()
  const formats = useFormats()
  if (runs.length < 2) return null
  const shown = runs.slice(0, barsMax)
  const bars = (amountOf: (run: SizedRun) => number, textOf: (amount: number) => string) =>
    shown.map((run) => ({
      ...{ name: run.name, amount: amountOf(run), text: textOf(amountOf(run)) },
      tone: run.isAbnormal ? ('attention' as const) : ('running' as const),
    }))
  return (
    <div className="cards">
      <BarTable
        title={t('statistics.objects')}
        nameHead={t('statistics.run')}
        amountHead={t('statistics.objects')}
        bars={bars(({ objects }) => objects, formats.count)}
        empty=""
      />
      <BarTable
        title={t('statistics.bytes')}
        nameHead={t('statistics.run')}
        amountHead={t('statistics.bytes')}
        bars={bars(({ bytes }) => bytes, formats.bytes)}
        empty=""
      />
    </div>
  )
}
