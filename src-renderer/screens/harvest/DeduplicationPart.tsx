/** The part of the harvest form for deduplication: how documents are recognised as captured by an earlier job. */
import { Stack, TextInput } from '@mantine/core'
import { deduplicationMatches } from '../../../src-main/contract/shapes/choices.ts'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
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
        <ChoiceField
          field="deduplication.match"
          label={t('deduplication.match')}
          values={deduplicationMatches}
          value={draft.match}
          wordOf={(match) => `deduplication.match.${match}`}
          errorOf={errorOf}
          onChange={(match) => onChange({ ...draft, match })}
        />
        {draft.match !== 'off' && text('jobs')}
        {draft.match !== 'off' && text('excludedTypes')}
      </Stack>
    </FoldedPart>
  )
}
