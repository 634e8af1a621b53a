/** Services `accounts` and `sessions` of the contract: the accounts of a server, each change with an entry in the audit log. */
import { openAccounts, openSessions, type SessionLimits } from '../../access/access.ts'
import type { AuditLog } from '../../archive/audit/audit.ts'
import type { AuditActionName } from '../../contract/shapes/choices.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'

interface Parts {
  store: Store
  world: World
  limits: () => SessionLimits
  auditLog: AuditLog
}

/** Makes the services. */
export function accountsServices(parts: Parts): Pick<LoupeImplementation, 'accounts' | 'sessions'> {
  const { store, world, auditLog } = parts
  const note = (what: AuditActionName, subject: string, became?: unknown) =>
    auditLog.append({ who: 'user', what, subject, became }, world.clock.now())
  const accounts = openAccounts({ store, world, onAction: note })
  const sessions = openSessions(parts)

  return {
    accounts: {
      list: async () => accounts.list(),
      add: async (given) => accounts.add(given),
      async remove({ name }) {
        accounts.remove(name)
        return {}
      },
      setPassword: async ({ name, password }) => accounts.setPassword(name, password),
      setRoles: async ({ name, roles }) => accounts.setRoles(name, roles),
    },
    sessions: {
      list: async () => sessions.list(),
      async revoke({ session }) {
        store.transaction(() => {
          sessions.revoke(session)
          note('sessionRevoked', String(session))
        })
        return {}
      },
    },
  }
}
