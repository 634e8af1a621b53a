/** What callers may see. */
import { sightOfEverything, type Access, type Sight } from '../../access/access.ts'
import { hasRole, type Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { RolesNow } from './callersNow.ts'

/** Answers for a caller. Rejects with `Fault` where authorities cannot be asked, or the account is gone: then nothing is shown. */
export type SightFor = (caller: Caller) => Promise<Sight>

/** Administrators see everything, since they can change the rules; other accounts what the security rules show. */
export function sightsOf({ security }: Pick<Access, 'security'>, rolesOf: RolesNow): SightFor {
  return async (caller) => {
    const { account } = caller
    const roles = rolesOf(caller)
    if (!roles) throw new Fault('notAllowed', message('account.absent', { name: account }))
    if (hasRole({ roles }, 'administrator')) return sightOfEverything
    return security.sightOf({ users: [{ user: account, domain: '' }] })
  }
}
