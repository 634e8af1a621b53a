/** How an answer of a site is recognised: what is filled in must all hold. */
import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useWords } from '../../words/words.tsx'
import { answerFields, type answerRules, type AnswerRuleDraft } from './loginDraft.ts'

interface AnswerRuleFieldsProps {
  /** Of the controls. */
  name: string
  rule: (typeof answerRules)[number]
  draft: AnswerRuleDraft
  complaint: { field: string; words: string } | null
  onChange: (draft: AnswerRuleDraft) => void
}

export function AnswerRuleFields({ name, rule, draft, complaint, onChange }: AnswerRuleFieldsProps) {
  const say = useWords()
  const common = (field: (typeof answerFields)[number]) => ({
    name: `${name}.${field}`,
    label: say(`login.answer.${field}`),
    ...(complaint?.field === `${rule}.${field}` ? { error: complaint.words } : {}),
  })
  return (
    <fieldset>
      <legend>{say(`login.${rule}`)}</legend>
      <p className="dimmed legend-text">{say(`login.${rule}.hint`)}</p>
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
