/** The part of the harvest form that limits the rate of requests, in general and for single hosts. */
import { NumberInput, SimpleGrid, Stack } from '@mantine/core'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import type { ErrorOf } from './problemWords.ts'
import type { ThrottleDraft } from './throttleDraft.ts'
import { ThrottleRules } from './ThrottleRules.tsx'

interface ThrottlePartProps {
  draft: ThrottleDraft
  errorOf: ErrorOf
  onChange: (draft: ThrottleDraft) => void
}

const rests = ['delayFactor', 'delayMsMax'] as const

export function ThrottlePart({ draft, errorOf, onChange }: ThrottlePartProps) {
  const t = useWords()
  return (
    <FoldedPart title={t('throttle.legend')} text={t('throttle.text')}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {rests.map((field) => (
            <NumberInput
              key={field}
              data-field={`throttle.${field}`}
              label={t(`throttle.${field}`)}
              description={t(`throttle.${field}.hint`)}
              placeholder={t('form.asSet')}
              value={draft[field]}
              onChange={(value) => onChange({ ...draft, [field]: value })}
              hideControls
              {...errorOf(`throttle.${field}`)}
            />
          ))}
        </SimpleGrid>
        <ThrottleRules rules={draft.rules} errorOf={errorOf} onChange={(rules) => onChange({ ...draft, rules })} />
      </Stack>
    </FoldedPart>
  )
}
