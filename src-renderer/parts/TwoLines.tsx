/** Two amounts over time as lines, each with an axis of its own. */
import { useCallback, useState } from 'react'
import type UPlot from 'uplot'
import { ChartFigure, type Chart, type ChartLook } from './ChartFigure.tsx'

interface Line {
  name: string
  /** One for each point. */
  amounts: readonly number[]
  format: (amount: number) => string
}

interface TwoLinesProps {
  label: string
  /** The points, in seconds. */
  at: readonly number[]
  atFormat: (seconds: number) => string
  /** The first has its axis on the left, the second on the right. */
  lines: readonly [Line, Line]
}

/** The right side of a chart, for uPlot. */
const right = 1

/** The lines differ in colour, and the second one is dashed, so that colour is not the only sign. */
const looks: readonly { tone: string; more: UPlot.Series }[] = [
  { tone: 'running', more: {} },
  { tone: 'done', more: { dash: [6, 4] } },
]

export function TwoLines({ label, at, atFormat, lines }: TwoLinesProps) {
  const [point, setPoint] = useState<number | null>(null)
  const make = useCallback(
    (look: ChartLook): Chart => ({
      options: {
        ...optionsOf(look, lines, atFormat),
        hooks: { setCursor: [({ cursor: { idx } }) => setPoint(idx ?? null)] },
      },
      data: [[...at], ...lines.map(({ amounts }) => [...amounts])],
    }),
    [at, atFormat, lines],
  )
  const seconds = point === null ? undefined : at[point]
  const legend = lines.map(({ name, amounts, format }, index) => {
    const amount = seconds === undefined ? undefined : format(amounts[point ?? 0] ?? 0)
    return { name, tone: looks[index]?.tone ?? 'idle', amount }
  })
  const pointed = seconds === undefined ? undefined : atFormat(seconds)
  return <ChartFigure label={label} height={200} make={make} pointed={pointed} legend={legend} />
}

function optionsOf(
  { colour, axis, grid }: ChartLook,
  lines: readonly Line[],
  atFormat: (seconds: number) => string,
): Chart['options'] {
  const range = (_: UPlot, __: number, most: number): [number, number] => [0, Math.max(1, most * 1.05)]
  return {
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false }, ...Object.fromEntries(lines.map(({ name }) => [name, { range }])) },
    axes: [
      { ...axis, size: 32, space: 90, values: (_, splits) => splits.map(atFormat) },
      ...lines.map(({ name, format }, index): UPlot.Axis => ({
        ...axis,
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum has no values at run time
        ...(index === 0 ? { grid } : { side: right }),
        scale: name,
        size: 84,
        values: (_, splits) => splits.map(format),
      })),
    ],
    series: [
      {},
      ...lines.map(({ name }, index): UPlot.Series => {
        const look = looks[index]
        const stroke = colour(`--${look?.tone ?? 'idle'}`)
        return { scale: name, stroke, width: 2, points: { show: false }, ...look?.more }
      }),
    ],
  }
}
