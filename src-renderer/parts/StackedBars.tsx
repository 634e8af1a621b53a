/** Amounts over time as stacked bars. */
import { useCallback, useState } from 'react'
import UPlot from 'uplot'
import { ChartFigure, type Chart, type ChartLook } from './ChartFigure.tsx'
import { stackOf, stackTones } from './stackOf.ts'

export interface StackedSeries {
  name: string
  /** One for each period. */
  amounts: readonly number[]
}

interface StackedBarsProps {
  label: string
  periods: readonly string[]
  /** From the bottom to the top; at most as many as there are colours (`stackTones`). */
  series: readonly StackedSeries[]
  format: (amount: number) => string
}

const toneAt = (index: number) => stackTones[index] ?? 'idle'

export function StackedBars({ label, periods, series, format }: StackedBarsProps) {
  const [at, setAt] = useState<number | null>(null)
  const make = useCallback(
    (look: ChartLook): Chart => ({
      options: optionsOf(look, { periods, count: series.length, format, onPoint: setAt }),
      data: stackOf(series, periods.length),
    }),
    [periods, series, format],
  )
  const pointed = at === null ? undefined : periods[at]
  const legend = series.map(({ name, amounts }, index) => {
    return { name, tone: toneAt(index), amount: pointed === undefined ? undefined : format(amounts[at ?? 0] ?? 0) }
  })
  return <ChartFigure label={label} height={280} make={make} pointed={pointed} legend={legend} />
}

interface Drawn {
  periods: readonly string[]
  count: number
  format: (amount: number) => string
  onPoint: (at: number | null) => void
}

function optionsOf({ colour, axis, grid }: ChartLook, { periods, count, format, onPoint }: Drawn): Chart['options'] {
  return {
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, periods.length - 0.4] },
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] },
    },
    axes: [
      {
        ...axis,
        space: 90,
        size: 32,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000],
        values: (_, splits) => splits.map((split) => periods[split] ?? ''),
      },
      {
        ...axis,
        grid,
        size: 84,
        values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? format(split) : '')),
      },
    ],
    series: [
      {},
      // The highest sum is drawn first: those below it are drawn over it.
      ...Array.from({ length: count }, (_, drawn): UPlot.Series => {
        const tone = colour(`--${toneAt(count - 1 - drawn)}`)
        return { fill: tone, stroke: tone, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
      }),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  }
}

const bars = UPlot.paths.bars?.({ size: [0.8, 64], gap: 0 })
