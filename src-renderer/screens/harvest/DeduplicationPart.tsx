/** The part of the harvest form for deduplication: how documents are recognised as captured by an earlier job. */
import { Radio, Stack, TextInput } from '@mantine/core'
import { deduplicationMatches } from '../../../src-main/contract/shapes/choices.ts'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import type { DeduplicationDraft } from './deduplicationDraft.ts'
import type { ErrorOf } from './problemWords.ts'

interface DeduplicationPartProps {
  draft: DeduplicationDraft
  errorOf: ErrorOf
  onChange: (draft: DeduplicationDraft) => void
}

export function DeduplicationPart({ draft, errorOf, onChange }: DeduplicationPartProps) {
  const t = useWords()
  const text = (field: 'jobs' | 'excludedTypes') => (
    <TextInput
      data-field={`deduplication.${field}`}
      {...errorOf(`deduplication.${field}`)}
      label={t(`deduplication.${field}`)}
      description={t(`deduplication.${field}.hint`)}
      value={draft[field]}
      onChange={(event) => onChange({ ...draft, [field]: event.currentTarget.value })}
    />
  )
  return (
    <FoldedPart title={t('deduplication.legend')} text={t('deduplication.text')}>
      <Stack gap="md">
        <Radio.Group
          data-field="deduplication.match"
          name="deduplication.match"
          {...errorOf('deduplication.match')}
          label={t('deduplication.match')}
          value={draft.match}
          onChange={(chosen) =>
            onChange({ ...draft, match: deduplicationMatches.find((match) => match === chosen) ?? draft.match })
          }
        >
          <Stack gap={6} mt={6}>
            {deduplicationMatches.map((match) => (
              <Radio
                key={match}
                value={match}
                label={t(`deduplication.match.${match}`)}
                description={t(`deduplication.match.${match}.meaning`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {draft.match !== 'off' && text('jobs')}
        {draft.match !== 'off' && text('excludedTypes')}
      </Stack>
    </FoldedPart>
  )
}
