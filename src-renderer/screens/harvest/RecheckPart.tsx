/** The part of the harvest form about looking again: how often, and what becomes of pages that are gone. */
import { Radio, SimpleGrid, Stack } from '@mantine/core'
import { goneModes, hardFailureModes, patienceModes, recheckTypes } from '../../../src-main/contract/choices.ts'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { complaintWords } from './complaintWords.ts'
import type { Complaint } from './harvestDraft.ts'
import { spanFields, type RecheckDraft } from './recheckDraft.ts'
import { SpanInput } from './SpanInput.tsx'

interface RecheckPartProps {
  draft: RecheckDraft
  complaint: Complaint | undefined
  onChange: (draft: RecheckDraft) => void
}

/** Each choice with its values; every value has its words. */
const choices = {
  type: recheckTypes,
  gone: goneModes,
  patience: patienceModes,
  onHardFailure: hardFailureModes,
} as const

export function RecheckPart({ draft, complaint, onChange }: RecheckPartProps) {
  const say = useWords()
  const complainedOf = complaint?.issue.path.at(-1)
  const choice = <Name extends keyof typeof choices>(name: Name) => (
    <Radio.Group
      name={`recheck.${name}`}
      label={say(`recheck.${name}`)}
      value={draft[name]}
      onChange={(chosen) =>
        onChange({ ...draft, [name]: choices[name].find((value) => value === chosen) ?? draft[name] })
      }
    >
      <Stack gap={6} mt={6}>
        {optionsOf(name).map(({ value, label, meaning }) => (
          <Radio key={value} value={value} label={say(label)} description={say(meaning)} />
        ))}
      </Stack>
    </Radio.Group>
  )
  return (
    <FoldedPart title={say('recheck.legend')} text={say('recheck.text')}>
      <Stack gap="md">
        {choice('type')}
        {draft.type === 'continuous' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {spanFields.map((field) => (
              <SpanInput
                key={field}
                field={field}
                value={draft[field]}
                error={complaint && complainedOf === field ? complaintWords(say, complaint) : undefined}
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
