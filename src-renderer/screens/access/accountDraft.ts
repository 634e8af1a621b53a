/** An account as it is typed, and what is wrong with it. */
import type { Role } from '../../../src-main/contract/calls/caller.ts'
import { passwordCharactersMin, type AccountRow } from '../../../src-main/contract/services/accounts.ts'
import type { Translate } from '../../words/words.tsx'

/** What a dialog does with an account. */
export type AccountTask = { is: 'add' } | { is: 'roles' | 'password'; row: AccountRow }

export interface AccountDraft {
  name: string
  roles: Role[]
  password: string
  repeat: string
}

export function accountDraftOf(task: AccountTask): AccountDraft {
  const { name, roles } = task.is === 'add' ? { name: '', roles: ['viewer' as const] } : task.row
  return { name, roles: [...roles], password: '', repeat: '' }
}

/** The error of each field that the task shows. */
export function accountProblems(
  t: Translate,
  { is }: Pick<AccountTask, 'is'>,
  { name, roles, password, repeat }: AccountDraft,
): Record<'name' | 'roles' | 'password' | 'repeat', string | null> {
  const count = [...password].length
  const hasPassword = is !== 'roles'
  return {
    name: name.trim() === '' ? t('access.needed') : null,
    roles: is !== 'password' && roles.length === 0 ? t('accounts.roles.needed') : null,
    password: hasPassword && count < passwordCharactersMin ? t('accounts.password.short', { count }) : null,
    repeat: hasPassword && password !== repeat ? t('accounts.repeat.wrong') : null,
  }
}
