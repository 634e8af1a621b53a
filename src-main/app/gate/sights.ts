/** What callers may see. */
import { sightOfEverything, type Access, type Sight } from '../../access/access.ts'
import { hasRole, type Caller, type Role } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'

/** Answers for a caller. Rejects with `Fault` where authorities cannot be asked, or the account is gone: then nothing is shown. */
export type SightFor = (caller: Caller) => Promise<Sight>

/** Administrators see everything, since they can change the rules; everyone else what the security rules show. `rolesOf`: the roles that an account
 *  of the server has now, since a viewing lasts longer than a request; undefined where it was removed. */
export function sightsOf(
  { security }: Pick<Access, 'security'>,
  rolesOf: (account: string) => readonly Role[] | undefined,
): SightFor {
  return async (caller) => {
    const { account } = caller
    const isOfThisMachine = caller.address === ''
    const roles = isOfThisMachine ? caller.roles : rolesOf(account)
    if (!roles) throw new Fault('notAllowed', message('account.absent', { name: account }))
    if (hasRole({ roles }, 'administrator')) return sightOfEverything
    return security.sightOf({ users: [{ user: account, domain: '' }] })
  }
}
