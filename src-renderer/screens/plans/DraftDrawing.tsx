/** The drawing of the plan that is being written: of the last text without faults. */
import { Text } from '@mantine/core'
import { useState } from 'react'
import type { CheckedPlan } from '../../../src-main/contract/services/deliveries.ts'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { PlanDrawing } from './PlanDrawing.tsx'
import { PlanLegend } from './PlanLegend.tsx'
import { noNumbers } from './planNumbers.ts'
import { StepPanel } from './StepPanel.tsx'

/** `isCurrent`: the text is the one that is drawn. */
export function DraftDrawing({ drawn, isCurrent }: { drawn: CheckedPlan['plan']; isCurrent: boolean }) {
  const t = useWords()
  const [chosen, setChosen] = useState<string | null>(null)
  if (!drawn) return <Text c="dimmed">{t('planEditor.drawing.none')}</Text>
  return (
    <Section title={t('planEditor.drawing')}>
      <PlanDrawing steps={drawn.steps} numbers={noNumbers} chosen={chosen} onChoose={setChosen} />
      <Text c="dimmed" size="sm" my="xs">
        {t(isCurrent ? 'plan.numbers.writing' : 'planEditor.drawing.old')}
      </Text>
      <PlanLegend />
      <div className="below-card">
        <StepPanel step={drawn.steps.find(({ name }) => name === chosen)} numbers={noNumbers} />
      </div>
    </Section>
  )
}
