/** Whether the account of the window may make a call: everything that a role can refuse asks here, so that nothing is offered and then refused. */
import { useCallback } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { roleMessage, type Role } from '../../src-main/contract/calls/caller.ts'
import { lackedRole, type CallName } from '../state/callerRoles.ts'
import { useSessionIfAny } from '../state/session.tsx'
import { useWords } from '../words/words.tsx'

interface May {
  /** Why the call cannot be made, as one sentence; null where it can, or the roles are not known yet. */
  why(name: CallName | undefined): string | null
  /** Whether to offer what needs the call. False until the roles are known. */
  offers(name: CallName): boolean
}

export function useMay(): May {
  const t = useWords()
  const { roles } = useStore(useSessionIfAny()?.callerRoles ?? noSession)
  const why = useCallback(
    (name: CallName | undefined) => {
      const role = name === undefined ? null : lackedRole(roles, name)
      return role === null ? null : t('may.needs', { role: t(roleMessage(role)) })
    },
    [roles, t],
  )
  const offers = useCallback((name: CallName) => roles !== null && lackedRole(roles, name) === null, [roles])
  return { why, offers }
}

/** Before the log-in there are no roles. */
const noSession = createStore<{ roles: readonly Role[] | null }>()(() => ({ roles: null }))
