/** What callers may see. */
import { sightOfEverything, type Access, type Sight } from '../../access/access.ts'
import { hasRole, type Caller } from '../../contract/calls/caller.ts'

/** Answers for a caller. Rejects with `Fault` where authorities cannot be asked: then nothing is shown. */
export type SightFor = (caller: Caller) => Promise<Sight>

/** Administrators see everything, since they can change the rules; everyone else what the security rules show. */
export function sightsOf({ security }: Pick<Access, 'security'>): SightFor {
  return async (caller) =>
    hasRole(caller, 'administrator')
      ? sightOfEverything
      : security.sightOf({ users: [{ user: caller.account, domain: '' }] })
}
