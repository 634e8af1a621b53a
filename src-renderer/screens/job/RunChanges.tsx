/** What a run of a job changed: the number of URLs of each kind, as links to the lists of these URLs. */
import { Fragment } from 'react'
import type { Comparison } from '../../../src-main/contract/shapes/comparisons.ts'
import { hrefOf } from '../../routes/routes.ts'
import { changesShown, type RunNumbers } from '../../state/runNumbers.ts'
import { useWords } from '../../words/words.tsx'

interface RunChangesProps {
  job: number
  run: number
  numbers: RunNumbers
  /** Whether the lists of the URLs are kept. */
  isListed: boolean
}

export function RunChanges({ job, run, numbers, isListed }: RunChangesProps) {
  const t = useWords()
  const shown = changesShown(numbers)
  if (shown.length === 0) return t('runs.changes.none')
  const href = (comparison: Comparison) =>
    hrefOf({ place: 'history', filter: `report=changes&jobs=${job}&run=${run}&comparison=${comparison}` })
  return (
    <span>
      {shown.map(([comparison, count], at) => {
        const text = t(`runs.change.${comparison}`, { count })
        return (
          <Fragment key={comparison}>
            <span title={t(`runs.meaning.${comparison}`)}>
              {isListed ? <a href={href(comparison)}>{text}</a> : text}
            </span>
            {at < shown.length - 1 && ', '}
          </Fragment>
        )
      })}
    </span>
  )
}
