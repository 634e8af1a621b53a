/** The part of the harvest form that says how to log in. */
import { Alert, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Info } from 'lucide-react'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { complaintWords } from './complaintWords.ts'
import { CredentialPicker } from './CredentialPicker.tsx'
import type { Complaint } from './harvestDraft.ts'
import { loginFieldOf, loginKinds, type LoginDraft } from './loginDraft.ts'

interface LoginPartProps {
  draft: LoginDraft
  complaint: Complaint | undefined
  onChange: (draft: LoginDraft) => void
}

type TextField = Exclude<keyof LoginDraft, 'kind' | 'credential'>

export function LoginPart({ draft, complaint, onChange }: LoginPartProps) {
  const say = useWords()
  const complainedOf = complaint && loginFieldOf(complaint.issue.path)
  function errorOf(field: keyof LoginDraft): string | undefined {
    if (!complaint || complainedOf !== field) return undefined
    return draft[field] === '' ? say('form.empty') : complaintWords(say, complaint)
  }
  const text = (field: TextField, label: WordId, description?: WordId) => {
    const error = errorOf(field)
    return {
      name: `login.${field}`,
      label: say(label),
      ...(description ? { description: say(description) } : {}),
      value: draft[field],
      onChange: (event: { currentTarget: { value: string } }) =>
        onChange({ ...draft, [field]: event.currentTarget.value }),
      ...(error === undefined ? {} : { error }),
    }
  }
  return (
    <FoldedPart title={say('login.legend')} text={say('login.text')}>
      <Stack gap="md">
        <Radio.Group
          name="login.kind"
          label={say('login.kind')}
          value={draft.kind}
          onChange={(value) => onChange({ ...draft, kind: loginKinds.find((kind) => kind === value) ?? draft.kind })}
        >
          <Stack gap={6} mt={6}>
            {loginKinds.map((kind) => (
              <Radio
                key={kind}
                value={kind}
                label={say(`login.kind.${kind}`)}
                description={say(`login.kind.${kind}.meaning`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {draft.kind !== 'none' && (
          <>
            <CredentialPicker
              value={draft.credential}
              error={errorOf('credential')}
              onChange={(credential) => onChange({ ...draft, credential })}
            />
            <Textarea
              {...text('urls', 'login.urls', 'login.urls.hint')}
              required
              autosize
              minRows={1}
              spellCheck={false}
              classNames={{ input: 'mono' }}
            />
            {draft.kind === 'form' && (
              <>
                <TextInput {...text('page', 'login.page')} required classNames={{ input: 'mono' }} />
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
                  <TextInput {...text('userField', 'login.userField', 'login.userField.hint')} required />
                  <TextInput {...text('passwordField', 'login.passwordField', 'login.userField.hint')} required />
                </SimpleGrid>
                <TextInput {...text('success', 'login.success', 'login.success.hint')} />
                <TextInput {...text('loggedOut', 'login.loggedOut', 'login.loggedOut.hint')} />
              </>
            )}
            <Alert color="blue" icon={<Info aria-hidden />}>
              {say('login.archived')}
            </Alert>
          </>
        )}
      </Stack>
    </FoldedPart>
  )
}
