/** Tells each condition once, when it is decided, to who cannot see it. It stays while the steps change: a small file is
 *  repaired faster than anything is read out. */
import type { RepairOutcome } from '../../../src-main/contract/services/archive.ts'
import type { RepairStep } from '../../state/repairFlow.ts'
import { useWords } from '../../words/words.tsx'

export function ConditionsTold({ step, outcome }: { step: RepairStep; outcome: RepairOutcome | undefined }) {
  const say = useWords()
  const isTold = step === 'conditions' || step === 'outcome'
  const decided = isTold ? (outcome?.conditions.filter(({ state }) => state !== 'open') ?? []) : []
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={say('repair.step.conditions')}>
      {decided.map(({ condition, state, sentence }) => (
        <p key={condition}>
          {say('repair.told', { is: say(`repair.is.${state}`), name: say(`repair.condition.${condition}`), sentence })}
        </p>
      ))}
    </div>
  )
}
