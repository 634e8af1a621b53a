/** What callers may do at this moment: a viewing lasts longer than a request, and its account may get other roles or be removed meanwhile. */
import { hasRole, isOfThisMachine, lackingRole, type Caller, type Role } from '../../contract/calls/caller.ts'

/** The roles that a caller has now; undefined where its account was removed. */
export type RolesNow = (caller: Caller) => readonly Role[] | undefined

/** `rolesOf`: the roles of an account of the server; undefined where there is none. */
export function rolesNow(rolesOf: (account: string) => readonly Role[] | undefined): RolesNow {
  return (caller) => (isOfThisMachine(caller) ? caller.roles : rolesOf(caller.account))
}

/** Throws `Fault` notAllowed where a caller has not at least this role now. `name`: the call, for the message. */
export type RefuseBelow = (caller: Caller, role: Role, name: string) => void

export function refuseBelowBy(of: RolesNow): RefuseBelow {
  return (caller, role, name) => {
    if (!hasRole({ roles: of(caller) ?? [] }, role)) throw lackingRole(name, role)
  }
}
