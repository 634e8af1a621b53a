/** The part of the harvest form for rechecks: how often a URL is fetched again, and what happens to pages that are gone. */
import { Radio, SimpleGrid, Stack } from '@mantine/core'
import { goneModes, hardFailureModes, patienceModes, recheckTypes } from '../../../src-main/contract/shapes/choices.ts'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
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

/** The values of each choice; every value has its texts. */
const choices = {
  type: recheckTypes,
  gone: goneModes,
  patience: patienceModes,
  onHardFailure: hardFailureModes,
} as const

export function RecheckPart({ draft, errorOf, fixed, onChange }: RecheckPartProps) {
  const t = useWords()
  const choice = <Name extends keyof typeof choices>(name: Name) => (
    <Radio.Group
      data-field={`recheck.${name}`}
      name={`recheck.${name}`}
      {...errorOf(`recheck.${name}`)}
      label={t(`recheck.${name}`)}
      value={draft[name]}
      onChange={(chosen) =>
        onChange({ ...draft, [name]: choices[name].find((value) => value === chosen) ?? draft[name] })
      }
    >
      <Stack gap={6} mt={6}>
        {optionsOf(name).map(({ value, label, meaning }) => (
          <Radio key={value} value={value} label={t(label)} description={t(meaning)} />
        ))}
      </Stack>
    </Radio.Group>
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

function optionsOf<Name extends keyof typeof choices>(name: Name) {
  return choices[name].map((value) => ({
    value,
    label: `recheck.${name}.${value}` as WordId,
    meaning: `recheck.${name}.${value}.meaning` as WordId,
  }))
}
