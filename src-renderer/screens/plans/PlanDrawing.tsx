/** The drawing of a plan: its steps, their side effects, routers and lines with their numbers. Everything in it is also in `StepTable.tsx`,
 *  which screen readers read. */
import { useMemo } from 'react'
import type { DeliveryStepFacts } from '../../../src-main/contract/services/deliveries.ts'
import { useFormats } from '../../parts/formats.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { labelSize, pathOf, planLayout, type PlacedLine, type PlacedRouter } from './planLayout.ts'
import { conditionOf, type PlanNumbers } from './planNumbers.ts'
import { diamondOf } from './planShapes.ts'
import { StepShape } from './StepShape.tsx'
import { routerMeaning, shortened } from './stepWords.ts'
import styles from './plans.module.css'

interface PlanDrawingProps {
  steps: readonly DeliveryStepFacts[]
  numbers: PlanNumbers
  /** Name of the chosen step. */
  chosen: string | null
  onChoose: (step: string) => void
}

export function PlanDrawing({ steps, numbers, chosen, onChoose }: PlanDrawingProps) {
  const t = useWords()
  const drawn = useMemo(() => planLayout(steps), [steps])
  return (
    <div className={styles.frame} tabIndex={-1}>
      <svg
        className={styles.drawing}
        role="group"
        aria-label={t('plan.drawing.label')}
        // Smaller where there is less room, as long as it can be read.
        style={{ maxWidth: drawn.width, minWidth: drawn.width * scaleMin }}
        viewBox={`0 0 ${drawn.width} ${drawn.height}`}
      >
        <defs>
          <marker id="plan-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path className={styles.arrow} d="M0,0L8,4L0,8Z" />
          </marker>
        </defs>
        <g aria-hidden>
          {drawn.lines.map((line) => (
            <path
              key={`${line.from} ${line.to}`}
              className={styles.line}
              d={pathOf(line.points)}
              {...(line.to !== null && { markerEnd: 'url(#plan-arrow)' })}
            />
          ))}
          {drawn.lines.map((line) => (
            <LineLabel key={`${line.from} ${line.to}`} line={line} steps={steps} numbers={numbers} />
          ))}
          {drawn.routers.map((router) => (
            <RouterShape key={router.step.name} router={router} />
          ))}
        </g>
        {drawn.steps.map((placed) => (
          <StepShape
            key={placed.step.name}
            placed={placed}
            numbers={numbers}
            isChosen={placed.step.name === chosen}
            onChoose={() => onChoose(placed.step.name)}
          />
        ))}
      </svg>
    </div>
  )
}

/** Smallest scale of the drawing: text has at least 10 pixels. */
const scaleMin = 0.8
/** Characters of a condition that fit on a line. */
const conditionCharactersMax = 16

function LineLabel({
  line,
  steps,
  numbers,
}: {
  line: PlacedLine
  steps: readonly DeliveryStepFacts[]
  numbers: PlanNumbers
}) {
  const t = useWords()
  const { count } = useFormats()
  const { from, to, label } = line
  if (to === null || label === null) return null
  const condition = conditionWords(
    t,
    steps.find(({ name }) => name === from),
    to,
  )
  const documents = numbers.passed(from, to)
  const lines = [
    ...(condition === '' ? [] : [{ text: shortened(condition, conditionCharactersMax), className: styles.condition }]),
    ...(documents === undefined ? [] : [{ text: count(documents), className: styles.passed }]),
  ]
  if (lines.length === 0) return null
  const height = (lines.length * labelSize.height) / 2
  const width = Math.max(...lines.map(({ text }) => text.length)) * 7.2 + 14
  return (
    <g transform={`translate(${label.x} ${label.y})`}>
      <title>{condition}</title>
      <rect className={styles.label} x={-width / 2} y={-height / 2} width={width} height={height} rx={4} />
      {lines.map(({ text, className }, at) => (
        <text key={className} className={className} y={(at - (lines.length - 1) / 2) * 17 + 4.5} textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  )
}

function conditionWords(t: Translate, step: DeliveryStepFacts | undefined, to: string): string {
  const condition = step && conditionOf(step, to)
  if (!condition) return ''
  return [...condition.values, ...(condition.isOtherwise ? [t('plan.otherwise')] : [])].join(', ')
}

function RouterShape({ router: { step, kind, x, y, width, height } }: { router: PlacedRouter }) {
  const t = useWords()
  return (
    <g transform={`translate(${x} ${y})`}>
      <title>{routerMeaning(t, step.router)}</title>
      <path className={styles.router} d={diamondOf({ width, height })} />
      <text className={styles.routerText} y={4.5} textAnchor="middle">
        {t(`plan.router.${kind}`)}
      </text>
    </g>
  )
}
