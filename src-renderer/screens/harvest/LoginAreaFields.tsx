/** Fields of one login: protected pages, credential and method. */
import { Checkbox, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import type { Credentials } from '../../state/credentials.ts'
import { useWords, type WordId } from '../../words/words.tsx'
import { AnswerRuleFields } from './AnswerRuleFields.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { ErrorOf } from './problemWords.ts'
import { CredentialPicker } from './CredentialPicker.tsx'
import { answerRules, loginKinds, type LoginAreaDraft } from './loginDraft.ts'

interface LoginAreaFieldsProps {
  row: number
  area: LoginAreaDraft
  credentials: Credentials
  errorOf: ErrorOf
  onChange: (changes: Partial<LoginAreaDraft>) => void
  onRemove: () => void
}

type TextField = 'urls' | 'page' | 'userField' | 'passwordField' | 'otherFields' | 'submitsTo' | 'avoid'

export function LoginAreaFields({ row, area, credentials, errorOf, onChange, onRemove }: LoginAreaFieldsProps) {
  const t = useWords()
  const number = row + 1
  function fieldError(field: TextField | 'credential'): { error?: string } {
    const { error } = errorOf(`login.${row}.${field}`)
    if (error === undefined) return {}
    return { error: area[field] === '' ? t('form.empty') : error }
  }
  const text = (field: TextField, label: WordId, description?: WordId) => ({
    'data-field': `login.${row}.${field}`,
    label: t(label),
    ...(description ? { description: t(description) } : {}),
    value: area[field],
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [field]: event.currentTarget.value }),
    ...fieldError(field),
  })
  const lines = { autosize: true, minRows: 1, classNames: { input: 'mono' } }
  return (
    <fieldset className="card" aria-label={t('login.area', { number })}>
      <Stack gap="md">
        <Group justify="space-between" align="start" wrap="nowrap">
          <ChoiceField
            field={`login.${row}.kind`}
            label={t('login.kind')}
            values={loginKinds}
            value={area.kind}
            wordOf={(kind) => `login.kind.${kind}`}
            errorOf={errorOf}
            onChange={(kind) => onChange({ kind })}
          />
          <IconAction icon={Trash2} name={t('login.remove', { number })} onClick={onRemove} />
        </Group>
        <CredentialPicker
          field={`login.${row}.credential`}
          credentials={credentials}
          value={area.credential}
          error={fieldError('credential').error}
          onChange={(credential) => onChange({ credential })}
        />
        <Textarea {...text('urls', 'login.urls', 'login.urls.hint')} {...lines} required />
        {area.kind === 'form' && (
          <>
            <TextInput {...text('page', 'login.page', 'login.page.hint')} required classNames={{ input: 'mono' }} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
              <TextInput {...text('userField', 'login.userField', 'login.userField.hint')} required />
              <TextInput {...text('passwordField', 'login.passwordField', 'login.passwordField.hint')} required />
            </SimpleGrid>
          </>
        )}
        <FoldedPart title={t('login.more', { number })} text={t(`login.more.${area.kind}.text`)}>
          <Stack gap="md">
            {area.kind === 'form' && (
              <>
                {answerRules.map((rule) => (
                  <AnswerRuleFields
                    key={rule}
                    name={`login.${row}.${rule}`}
                    rule={rule}
                    draft={area[rule]}
                    errorOf={errorOf}
                    onChange={(changed) => onChange({ [rule]: changed })}
                  />
                ))}
                <TextInput
                  {...text('submitsTo', 'login.submitsTo', 'login.submitsTo.hint')}
                  classNames={{ input: 'mono' }}
                />
                <Textarea {...text('otherFields', 'login.otherFields', 'login.otherFields.hint')} {...lines} />
                <Textarea {...text('avoid', 'login.avoid', 'login.avoid.hint')} {...lines} />
              </>
            )}
            <Checkbox
              data-field={`login.${row}.untrusted`}
              {...errorOf(`login.${row}.untrusted`)}
              label={t('login.untrusted')}
              description={t('login.untrusted.hint')}
              checked={area.untrusted}
              onChange={(event) => onChange({ untrusted: event.currentTarget.checked })}
            />
          </Stack>
        </FoldedPart>
      </Stack>
    </fieldset>
  )
}
