/** A chart (uPlot) with its legend. The picture has no text of its own for a screen reader: a table with the same numbers belongs next to it. */
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import styles from './parts.module.css'

export interface Chart {
  options: Omit<UPlot.Options, 'width' | 'height'>
  data: UPlot.AlignedData
}

export interface LegendEntry {
  name: string
  /** The name of a colour of the theme. */
  tone: string
  /** At the point under the pointer. */
  amount: string | undefined
}

interface ChartFigureProps {
  label: string
  height: number
  /** Makes the chart for the colours of the element. The same function as long as the chart is the same. */
  make: (look: ChartLook) => Chart
  /** The point under the pointer. */
  pointed: string | undefined
  legend: readonly LegendEntry[]
}

/** Colours and fonts of the theme. */
export interface ChartLook {
  colour(name: string): string
  axis: UPlot.Axis
  /** Lines across the chart. */
  grid: UPlot.Axis.Grid
}

export function ChartFigure({ label, height, make, pointed, legend }: ChartFigureProps) {
  const scheme = useComputedColorScheme()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { options, data } = make(lookOf(element))
    const chart = new UPlot({ legend: { show: false }, ...options, width: element.clientWidth, height }, data, element)
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      chart.destroy()
    }
  }, [make, height, scheme])
  return (
    <figure className={`card ${styles.chart}`}>
      <div ref={place} role="img" aria-label={label} style={{ minHeight: height }} />
      <figcaption className={styles.legend}>
        {pointed !== undefined && <strong className="tabular">{pointed}</strong>}
        {legend.map(({ name, tone, amount }, index) => (
          <span key={index} className={styles.legendEntry}>
            <span className={styles.legendMark} style={{ background: `var(--${tone})` }} aria-hidden />
            {name}
            {amount !== undefined && <span className="dimmed tabular">{amount}</span>}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function lookOf(element: HTMLElement): ChartLook {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name)
  return {
    colour,
    axis: {
      stroke: colour('--mantine-color-dimmed'),
      font: `12px ${style.fontFamily}`,
      ticks: { stroke: colour('--line') },
      grid: { show: false },
    },
    grid: { stroke: colour('--line'), width: 1 },
  }
}
