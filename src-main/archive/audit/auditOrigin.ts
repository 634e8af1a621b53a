/** The origin of entries in the audit log: the account of the caller, its machine, and the shell through which the action was requested.
 *  One engine serves several callers at once, so the caller is bound to the call and its asynchronous work, including work that continues
 *  after the reply. Decisions never read it here: they get the caller as an argument. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isOfThisMachine, type Caller } from '../../contract/calls/caller.ts'
import type { AuditOrigin } from '../../contract/services/audit.ts'
import type { StoreUser } from '../../storage/storage.ts'

const callerOfCall = new AsyncLocalStorage<Caller>()

/** Runs `act` for a call of this caller. */
export function askedBy<T>(caller: Caller, act: () => T): T {
  return callerOfCall.run(caller, act)
}

/** `who`: the actor of the entry. What is not an action of a user names the account of the process; actions of the schedule came through no
 *  shell. */
export function originOf(user: StoreUser, who: string): AuditOrigin {
  const caller = callerOfCall.getStore()
  const shell = who === 'schedule' ? 'schedule' : (caller?.shell ?? user.shell)
  if (who !== 'user' || !caller) return { account: user.account, host: user.host, shell }
  return { account: caller.account, host: isOfThisMachine(caller) ? user.host : caller.address, shell }
}
