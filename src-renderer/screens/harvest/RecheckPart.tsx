/** The part of the harvest form for rechecks: how often a URL is fetched again, and what happens to pages that are gone. */
import { SimpleGrid, Stack } from '@mantine/core'
import { goneModes, hardFailureModes, patienceModes, recheckTypes } from '../../../src-main/contract/shapes/choices.ts'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import { ChoiceField, type ValueWord } from './ChoiceField.tsx'
import type { ErrorOf } from './problemWords.ts'
import { spanFields, type RecheckDraft } from './recheckDraft.ts'
import { SpanInput } from './SpanInput.tsx'

interface RecheckPartProps {
  draft: RecheckDraft
  errorOf: ErrorOf
  /** The reason why the type cannot be changed now; null where it can. */
  fixed: string | null
  onChange: (draft: RecheckDraft) => void
}

type Choice = 'type' | 'gone' | 'patience' | 'onHardFailure'

/** The values of each choice; every value has its texts. */
const choices: { [Name in Choice]: readonly RecheckDraft[Name][] } = {
  type: recheckTypes,
  gone: goneModes,
  patience: patienceModes,
  onHardFailure: hardFailureModes,
}

export function RecheckPart({ draft, errorOf, fixed, onChange }: RecheckPartProps) {
  const t = useWords()
  const choice = <Name extends Choice>(name: Name) => (
    <ChoiceField
      field={`recheck.${name}`}
      label={t(`recheck.${name}`)}
      values={choices[name]}
      value={draft[name]}
      wordOf={(value) => `recheck.${name}.${value}` as ValueWord}
      errorOf={errorOf}
      onChange={(value) => onChange({ ...draft, [name]: value })}
    />
  )
  return (
    <FoldedPart title={t('recheck.legend')} text={t('recheck.text')}>
      <Stack gap="md">
        <FixedFields why={fixed}>{choice('type')}</FixedFields>
        {draft.type === 'continuous' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {spanFields.map((field) => (
              <SpanInput
                key={field}
                field={field}
                value={draft[field]}
                error={errorOf(`recheck.${field}`).error}
                onChange={(span) => onChange({ ...draft, [field]: span })}
              />
            ))}
          </SimpleGrid>
        )}
        {choice('gone')}
        {choice('patience')}
        {choice('onHardFailure')}
      </Stack>
    </FoldedPart>
  )
}
