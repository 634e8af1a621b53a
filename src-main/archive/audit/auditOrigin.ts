/** The origin of entries in the audit log: account and host of the process, and the shell through which the action was requested.
 *  One engine serves several shells at once (a window and commands), so the shell is bound to the call and its asynchronous work,
 *  including work that continues after the reply. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditOrigin } from '../../contract/services/audit.ts'
import type { AuditShell } from '../../contract/shapes/choices.ts'
import type { StoreUser } from '../../storage/storage.ts'

const shellOfCall = new AsyncLocalStorage<AuditShell>()

/** Runs `act` for a call that came through this shell. */
export function askedThrough<T>(shell: AuditShell, act: () => T): T {
  return shellOfCall.run(shell, act)
}

/** `who`: the actor of the entry. Actions of the schedule came through no shell. */
export function originOf(user: StoreUser, who: string): AuditOrigin {
  const { account, host, shell } = user
  return { account, host, shell: who === 'schedule' ? 'schedule' : (shellOfCall.getStore() ?? shell) }
}
