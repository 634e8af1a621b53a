/** Announces each condition to screen readers when it is decided. It stays mounted while the steps change, because a small file is repaired
 *  faster than a screen reader can announce anything. */
import type { RepairOutcome } from '../../../src-main/contract/services/repairs.ts'
import type { RepairStep } from '../../state/repairFlow.ts'
import { useWords } from '../../words/words.tsx'

export function ConditionResults({ step, outcome }: { step: RepairStep; outcome: RepairOutcome | undefined }) {
  const t = useWords()
  const isAnnounced = step === 'conditions' || step === 'outcome'
  const decided = isAnnounced ? (outcome?.conditions.filter(({ state }) => state !== 'open') ?? []) : []
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('repair.step.conditions')}>
      {decided.map(({ condition, state, message }) => (
        <p key={condition}>
          {t('repair.conditionResult', {
            is: t(`repair.is.${state}`),
            name: t(`repair.condition.${condition}`),
            sentence: t(message),
          })}
        </p>
      ))}
    </div>
  )
}
