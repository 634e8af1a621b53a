/** The hosts of a job with the most links between them, as a picture. The table next to it has all numbers. */
import type { LinkGraph } from '../../../src-main/contract/services/linkGraph.ts'
import { useMemo } from 'react'
import { useFormats } from '../../parts/formats.ts'
import { useWords } from '../../words/words.tsx'
import { circleWidth, linkCircle } from './linkCircle.ts'
import styles from './job.module.css'

/** Characters of a name that fit next to the ellipse. */
const nameMax = 28

export function LinkPicture({ graph }: { graph: LinkGraph }) {
  const t = useWords()
  const { count } = useFormats()
  const { hosts, lines, height } = useMemo(() => linkCircle(graph), [graph])
  if (lines.length === 0) return null
  return (
    <figure className={`card ${styles.links}`}>
      <svg
        viewBox={`0 0 ${circleWidth} ${height}`}
        role="img"
        aria-label={t('job.links.picture', { count: hosts.length })}
      >
        {lines.map(({ from, to, links, width, path }) => (
          <path key={`${from.host} ${to.host}`} d={path} strokeWidth={width}>
            <title>{t('job.links.line', { from: from.host, to: to.host, links, amount: count(links) })}</title>
          </path>
        ))}
        {hosts.map(({ host, x, y, radius, side }) => (
          <g key={host}>
            <circle cx={x} cy={y} r={radius} />
            <text x={side === 'start' ? x + radius + 6 : x - radius - 6} y={y} textAnchor={side} dy="0.35em">
              {host.length > nameMax ? `${host.slice(0, nameMax)}…` : host}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="dimmed">{t('job.links.legend')}</figcaption>
    </figure>
  )
}
