/** The shape of one step: its name, kind and side effect, and what it did. It can be chosen with the pointer and the keyboard. */
import type { KeyboardEvent } from 'react'
import { useWords } from '../../words/words.tsx'
import type { PlacedStep } from './planLayout.ts'
import type { PlanNumbers } from './planNumbers.ts'
import { lineWidthOf, mutatingDashes, outlineOf, secondLineInset } from './planShapes.ts'
import { effectWords, shortened, stepFigures } from './stepWords.ts'
import styles from './plans.module.css'

interface StepShapeProps {
  placed: PlacedStep
  numbers: PlanNumbers
  isChosen: boolean
  onChoose: () => void
}

/** Characters that fit into a shape. */
const nameCharactersMax = 20
const figuresCharactersMax = 30

export function StepShape({ placed: { step, x, y, ...size }, numbers, isChosen, onChoose }: StepShapeProps) {
  const t = useWords()
  const { name, kind, role, effect, isMutating } = step
  const figures = stepFigures(t, step, numbers)
  const outline = {
    strokeWidth: lineWidthOf[effect],
    ...(isMutating && { strokeDasharray: mutatingDashes }),
  }
  const values = { name, kind, role: t(`plan.role.${role}`), ...effectWords(t, step) }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onChoose()
  }
  return (
    <g
      className={styles.step}
      transform={`translate(${x} ${y})`}
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      aria-label={[t('plan.step.name', values), ...figures].join(', ')}
      data-role={role}
      onClick={onChoose}
      onKeyDown={onKeyDown}
    >
      <title>{name}</title>
      <path className={styles.outline} d={outlineOf(role, size)} {...outline} />
      {effect === 'idempotent' && (
        <path className={styles.secondLine} d={outlineOf(role, size, secondLineInset)} {...outline} />
      )}
      <text className={styles.stepName} y={-23} textAnchor="middle">
        {shortened(name, nameCharactersMax)}
      </text>
      <text className={styles.stepText} y={-5} textAnchor="middle">
        {t('plan.kindOf', { kind, role: values.role.toLowerCase() })}
      </text>
      <text className={styles.stepText} y={12} textAnchor="middle">
        {t('plan.effectOf', effectWords(t, step))}
      </text>
      <text className={styles.figures} y={31} textAnchor="middle">
        {shortened(figures.join(' · '), figuresCharactersMax)}
      </text>
    </g>
  )
}
