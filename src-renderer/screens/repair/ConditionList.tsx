/** Conditions with an explanation, each met, not met or open, shown by text, shape and colour. */
import type { RepairCondition } from '../../../src-main/contract/services/repairs.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { conditionBadges, conditionTones } from './repairTones.ts'

interface ConditionListProps {
  conditions: readonly RepairCondition[]
  /** The first open condition is being checked then. */
  running: boolean
  label?: string
}

export function ConditionList({ conditions, running, label }: ConditionListProps) {
  const t = useWords()
  return (
    <ol className="conditions" aria-label={label}>
      {conditionBadges(conditions, running).map(({ condition: { condition, message }, is }) => (
        <li key={condition} data-is={is}>
          <ToneBadge tone={conditionTones[is]} text={t(`repair.is.${is}`)} />
          <div>
            <strong>{t(`repair.condition.${condition}`)}</strong>
            <p className="wrap">{t(message)}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
