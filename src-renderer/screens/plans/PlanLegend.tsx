/** What the shapes and lines of the drawing mean. */
import { useWords } from '../../words/words.tsx'
import { stepRoles } from '../../../src-main/contract/services/deliveries.ts'
import { stepEffects } from '../../../src-main/contract/services/deliveryPlan.ts'
import { diamondOf, lineWidthOf, mutatingDashes, outlineOf } from './planShapes.ts'
import styles from './plans.module.css'

const size = { width: 44, height: 20 }
const box = '-24 -12 48 24'

export function PlanLegend() {
  const t = useWords()
  return (
    <details className="more">
      <summary>{t('plan.legend')}</summary>
      <ul className={styles.legend}>
        {stepRoles.map((role) => (
          <LegendRow key={role} text={t(`plan.role.${role}`)} path={outlineOf(role, size)} />
        ))}
        <LegendRow text={t('plan.router')} path={diamondOf(size)} />
        {stepEffects.map((effect) => (
          <LegendRow
            key={effect}
            text={t(`plan.effect.${effect}.meaning`)}
            path={outlineOf('processor', size)}
            width={lineWidthOf[effect]}
            {...(effect === 'idempotent' && { second: outlineOf('processor', size, 3.5) })}
          />
        ))}
        <LegendRow text={t('plan.mutating.meaning')} path={outlineOf('processor', size)} dashes={mutatingDashes} />
        <LegendRow text={t('plan.preserving.meaning')} path={outlineOf('processor', size)} />
      </ul>
    </details>
  )
}

interface LegendRowProps {
  text: string
  path: string
  width?: number
  second?: string
  dashes?: string
}

function LegendRow({ text, path, width = lineWidthOf.safe, second, dashes }: LegendRowProps) {
  return (
    <li>
      <svg viewBox={box} width={48} height={24} aria-hidden>
        <path className={styles.outline} d={path} strokeWidth={width} strokeDasharray={dashes} />
        {second && <path className={styles.secondLine} d={second} strokeWidth={width} />}
      </svg>
      {text}
    </li>
  )
}
