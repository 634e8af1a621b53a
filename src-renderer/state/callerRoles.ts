/** The roles of the account that uses this window, and which calls they permit. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { hasRole, type Role } from '../../src-main/contract/calls/caller.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { leastRoles } from '../../src-main/contract/roles.ts'
import { loadedFrom } from './loaded.ts'

/** Name of a call of the contract, such as `jobs.start`. */
export type CallName = {
  [Service in keyof Loupe]: `${Service}.${keyof Loupe[Service] & string}`
}[keyof Loupe]

export interface CallerRoles {
  /** null: not known yet. */
  roles: readonly Role[] | null
  load(): Promise<void>
}

export function makeCallerRoles({ system }: { system: Pick<Loupe['system'], 'about'> }): StoreApi<CallerRoles> {
  return createStore<CallerRoles>()((set) => ({
    roles: null,
    async load() {
      const about = await loadedFrom(system.about({}))
      // After a fault the roles stay as they were: the engine refuses each call in any case.
      if (about.is === 'ready') set({ roles: about.value.roles })
    },
  }))
}

/** Returns the least role of a call. */
export function roleFor(name: CallName): Role {
  const [service = '', call = ''] = name.split('.')
  const rows: Record<string, Record<string, Role>> = leastRoles
  const role = rows[service]?.[call]
  if (role === undefined) throw new Error(`no role for ${name}`)
  return role
}

/** Returns the role that a caller lacks for a call; null where the caller may make it, or the roles are not known yet. */
export function lackedRole(roles: readonly Role[] | null, name: CallName): Role | null {
  const role = roleFor(name)
  return roles === null || hasRole({ roles }, role) ? null : role
}
