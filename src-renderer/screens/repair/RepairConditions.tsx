/** The third step: every condition as it is verified. `ConditionResults` announces them to screen readers. */
import { Group, Loader } from '@mantine/core'
import { useStore } from 'zustand'
import type { RepairFlowStore } from '../../state/repairFlow.ts'
import { useWords } from '../../words/words.tsx'
import { ConditionList } from './ConditionList.tsx'

export function RepairConditions({ flow }: { flow: RepairFlowStore }) {
  const t = useWords()
  const { outcome, asked } = useStore(flow)
  return (
    <>
      <p>{t(asked ? 'repair.conditions.text' : 'repair.conditions.elsewhere')}</p>
      {outcome && outcome.conditions.length > 0 ? (
        <ConditionList conditions={outcome.conditions} running label={t('repair.step.conditions')} />
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          {t('repair.conditions.reading', { replica: outcome?.replica ?? '' })}
        </Group>
      )}
      <p className="dimmed">{t('repair.conditions.leave')}</p>
    </>
  )
}
