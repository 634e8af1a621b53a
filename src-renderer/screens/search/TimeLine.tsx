/** Results over time as small bars. A click narrows the query to the period, or removes it. */
import { Tooltip, UnstyledButton } from '@mantine/core'
import type { SearchFound } from '../../../src-main/contract/services/search.ts'
import { hasValue } from '../../state/queryFields.ts'
import { periodsOf } from '../../state/searchPeriods.ts'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'

/** Pixels: a few bars do not fill the width. */
const barWidthMax = 44

interface TimeLineProps {
  found: SearchFound
  query: string
  onToggle: (period: string) => void
}

export function TimeLine({ found, query, onToggle }: TimeLineProps) {
  const t = useWords()
  const periods = periodsOf(found)
  const [first, last] = [periods.at(0), periods.at(-1)]
  // One bar says no more than the time of the results.
  if (!first || !last || first === last) return null
  const most = Math.max(...periods.map(({ count }) => count))
  return (
    <div
      className={styles.timeLine}
      style={{ maxWidth: Math.max(3, periods.length) * barWidthMax }}
      role="group"
      aria-label={t('search.timeline')}
    >
      <div className={styles.timeBars}>
        {periods.map(({ value, count }) =>
          count === 0 ? (
            <span key={value} />
          ) : (
            <Tooltip key={value} label={t('search.timeline.period', { period: value, count })}>
              <UnstyledButton
                aria-label={t('search.timeline.period', { period: value, count })}
                aria-pressed={hasValue(query, 'year', value)}
                onClick={() => onToggle(value)}
              >
                <span style={{ height: `${Math.max(6, (100 * count) / most)}%` }} />
              </UnstyledButton>
            </Tooltip>
          ),
        )}
      </div>
      <div className={styles.timeEnds} aria-hidden>
        <span>{first.value}</span>
        <span>{last.value}</span>
      </div>
    </div>
  )
}
