/** Adds an account, or sets its roles or its password. */
import { Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { roles } from '../../../src-main/contract/calls/caller.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { accountDraftOf, accountProblems, type AccountDraft, type AccountTask } from './accountDraft.ts'

interface AccountDialogProps {
  /** null while the dialog is closed. */
  task: AccountTask | null
  onClose: () => void
  onSaved: () => void
}

export function AccountDialog({ task, onClose, onSaved }: AccountDialogProps) {
  const t = useWords()
  return (
    <FormDialog opened={task !== null} onClose={onClose} size={560} title={task && titleOf(t, task)}>
      {task && (
        <Form
          task={task}
          onSaved={() => {
            onClose()
            onSaved()
          }}
        />
      )}
    </FormDialog>
  )
}

function titleOf(t: Translate, task: AccountTask): string {
  if (task.is === 'add') return t('accounts.add')
  const { name } = task.row
  return task.is === 'roles' ? t('accounts.setRoles', { name }) : t('accounts.setPassword', { name })
}

function Form({ task, onSaved }: { task: AccountTask; onSaved: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: accountDraftOf(task),
    problemsOf: (typed) => accountProblems(t, task, typed),
    save: (typed) => saved(services, task, typed),
    onSaved,
  })
  return (
    <form {...form} aria-label={t('accounts.form')}>
      <Stack>
        {task.is === 'add' && (
          <TextInput
            {...control('name')}
            label={t('access.name')}
            required
            data-autofocus
            autoComplete="off"
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
        {task.is !== 'password' && (
          <Checkbox.Group
            {...control('roles')}
            label={t('accounts.roles')}
            description={t('accounts.roles.hint')}
            required
            value={draft.roles}
            onChange={(chosen) => change({ roles: roles.filter((role) => chosen.includes(role)) })}
          >
            <Stack gap="xs" mt="xs">
              {roles.map((role) => (
                <Checkbox
                  key={role}
                  value={role}
                  label={t(`accounts.role.${role}`)}
                  description={t(`accounts.role.${role}.text`)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {task.is === 'password' && <Text size="sm">{t('accounts.setPassword.text', { name: task.row.name })}</Text>}
        {task.is !== 'roles' && (
          <>
            <PasswordInput
              {...control('password')}
              label={t('accounts.password')}
              description={t('accounts.password.hint')}
              required
              {...(task.is === 'password' && { 'data-autofocus': true })}
              autoComplete="new-password"
              value={draft.password}
              onChange={(event) => change({ password: event.currentTarget.value })}
            />
            <PasswordInput
              {...control('repeat')}
              label={t('accounts.repeat')}
              required
              autoComplete="new-password"
              value={draft.repeat}
              onChange={(event) => change({ repeat: event.currentTarget.value })}
            />
          </>
        )}
        <FormEnd refusal={refusal} verb={t('access.save')} why={isSending ? t('access.saving') : null} />
      </Stack>
    </form>
  )
}

function saved({ accounts }: Loupe, { is }: AccountTask, { name, roles: chosen, password }: AccountDraft) {
  switch (is) {
    case 'add':
      return accounts.add({ name: name.trim(), roles: chosen, password })
    case 'roles':
      return accounts.setRoles({ name, roles: chosen })
    case 'password':
      return accounts.setPassword({ name, password })
  }
}
