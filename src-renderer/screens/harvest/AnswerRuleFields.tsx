/** Conditions on a response. All conditions that are filled in must be met. */
import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useWords } from '../../words/words.tsx'
import type { ErrorOf } from './problemWords.ts'
import { answerFields, type answerRules, type AnswerRuleDraft } from './loginDraft.ts'
import styles from './harvest.module.css'

interface AnswerRuleFieldsProps {
  /** Prefix of the names of the controls. */
  name: string
  rule: (typeof answerRules)[number]
  draft: AnswerRuleDraft
  errorOf: ErrorOf
  onChange: (draft: AnswerRuleDraft) => void
}

export function AnswerRuleFields({ name, rule, draft, errorOf, onChange }: AnswerRuleFieldsProps) {
  const t = useWords()
  const common = (field: (typeof answerFields)[number]) => ({
    'data-field': `${name}.${field}`,
    label: t(`login.answer.${field}`),
    ...errorOf(`${name}.${field}`),
  })
  return (
    <fieldset>
      <legend>{t(`login.${rule}`)}</legend>
      <p className={`dimmed ${styles.legendText}`}>{t(`login.${rule}.hint`)}</p>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {answerFields.map((field) =>
          field === 'status' ? (
            <NumberInput
              key={field}
              {...common(field)}
              value={draft.status}
              onChange={(status) => onChange({ ...draft, status })}
              hideControls
              allowDecimal={false}
            />
          ) : (
            <TextInput
              key={field}
              {...common(field)}
              value={draft[field]}
              onChange={(event) => onChange({ ...draft, [field]: event.currentTarget.value })}
            />
          ),
        )}
      </SimpleGrid>
    </fieldset>
  )
}
