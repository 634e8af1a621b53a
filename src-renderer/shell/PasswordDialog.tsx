/** Asks for the password of the account, over any screen or dialog whose call needs it again. */
import { Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useStore } from 'zustand'
import { ActionButton } from '../parts/ActionButton.tsx'
import { FaultNote } from '../parts/FaultNote.tsx'
import { FormDialog } from '../parts/FormDialog.tsx'
import { useDialogForm } from '../parts/useDialogForm.ts'
import { useSession } from '../state/session.tsx'
import { useWords } from '../words/words.tsx'

export function PasswordDialog() {
  const t = useWords()
  const { passwordQuestion } = useSession()
  const { isAsked, answer } = useStore(passwordQuestion)
  return (
    // Above the dialog that asks, which stays open.
    <FormDialog opened={isAsked} onClose={() => answer(false)} size={480} zIndex={300} title={t('password.title')}>
      {isAsked && <Form onRight={() => answer(true)} />}
    </FormDialog>
  )
}

function Form({ onRight }: { onRight: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { password: '' },
    problemsOf: ({ password }) => ({ password: password === '' ? t('password.needed') : null }),
    save: ({ password }) => services.accounts.confirm({ password }),
    onSaved: onRight,
  })
  return (
    <form {...form} aria-label={t('password.title')}>
      <Stack>
        <Text size="sm">{t('password.text')}</Text>
        <PasswordInput
          {...control('password')}
          label={t('logIn.password')}
          required
          data-autofocus
          autoComplete="current-password"
          value={draft.password}
          onChange={(event) => change({ password: event.currentTarget.value })}
        />
        {refusal && <FaultNote fault={refusal} />}
        <Group justify="end" className="form-end">
          <ActionButton type="submit" why={isSending ? t('password.sending') : null} onClick={() => undefined}>
            {t('password.verb')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
