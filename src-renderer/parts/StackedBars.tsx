/** Amounts over time as stacked bars (uPlot). The picture has no text of its own for a screen reader: a table with the same numbers belongs
 *  next to it. */
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { stackOf, stackTones } from './stackOf.ts'
import styles from './parts.module.css'

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

const height = 280

export function StackedBars({ label, periods, series, format }: StackedBarsProps) {
  const scheme = useComputedColorScheme()
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const options = optionsOf({ element, periods, count: series.length, format, onPoint: setAt })
    const chart = new UPlot(
      { ...options, width: element.clientWidth, height },
      stackOf(series, periods.length),
      element,
    )
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      chart.destroy()
    }
  }, [periods, series, format, scheme])
  const pointed = at === null ? undefined : periods[at]
  return (
    <figure className={`card ${styles.stacked}`}>
      <div ref={place} role="img" aria-label={label} style={{ minHeight: height }} />
      <figcaption className={styles.legend}>
        {pointed !== undefined && <strong className="tabular">{pointed}</strong>}
        {series.map(({ name, amounts }, index) => (
          <span key={index} className={styles.legendEntry}>
            <span
              className={styles.legendMark}
              style={{ background: `var(--${stackTones[index] ?? 'idle'})` }}
              aria-hidden
            />
            {name}
            {pointed !== undefined && <span className="dimmed tabular">{format(amounts[at ?? 0] ?? 0)}</span>}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

interface Drawn {
  element: HTMLElement
  periods: readonly string[]
  count: number
  format: (amount: number) => string
  onPoint: (at: number | null) => void
}

function optionsOf({ element, periods, count, format, onPoint }: Drawn): Omit<UPlot.Options, 'width' | 'height'> {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name)
  const axis = {
    stroke: colour('--mantine-color-dimmed'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    ticks: { stroke: colour('--line') },
  }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, periods.length - 0.4] },
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 90,
        size: 32,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000],
        values: (_, splits) => splits.map((split) => periods[split] ?? ''),
      },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        size: 84,
        values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? format(split) : '')),
      },
    ],
    series: [
      {},
      // The highest sum is drawn first: those below it are drawn over it.
      ...Array.from({ length: count }, (_, drawn): UPlot.Series => {
        const tone = colour(`--${stackTones[count - 1 - drawn] ?? 'idle'}`)
        return { fill: tone, stroke: tone, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
      }),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  }
}

const bars = UPlot.paths.bars?.({ size: [0.8, 64], gap: 0 })
