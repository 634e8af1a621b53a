/** Services `accounts` and `sessions` of the contract: the accounts of a server, each change with an entry in the audit log; and log-ins. */
import {
  openAccounts,
  openConfirmations,
  openLogIns,
  openSessions,
  type Confirmations,
  type LogIns,
  type SessionLimits,
} from '../../access/access.ts'
import type { AuditLog } from '../../archive/audit/audit.ts'
import type { Role } from '../../contract/calls/caller.ts'
import type { AuditActionName } from '../../contract/shapes/choices.ts'
import type { LoupeImplementation } from '../../contract/contract.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'

interface Parts {
  store: Store
  world: World
  limits: () => SessionLimits
  /** How long a password that was given again is valid. */
  confirmedMs: () => number
  auditLog: AuditLog
}

/** What a server asks that accounts may use. */
export interface AccountsDoor extends LogIns {
  /** Whether there is an account to log in with. */
  isAny(): boolean
}

interface Accounts {
  services: Pick<LoupeImplementation, 'accounts' | 'sessions'>
  door: AccountsDoor
  /** Passwords that were given again. */
  confirmations: Confirmations
  /** The roles that an account has now; undefined where there is none. */
  rolesOf(account: string): Role[] | undefined
}

/** Makes the services, and the door of a server. */
export function openAccountsParts(parts: Parts): Accounts {
  const { store, world, auditLog } = parts
  const note = (what: AuditActionName, subject: string, became?: unknown) =>
    auditLog.append({ who: 'user', what, subject, became }, world.clock.now())
  const accounts = openAccounts({ store, world, onAction: note })
  const sessions = openSessions(parts)
  const logIns = openLogIns({ accounts, sessions, clock: world.clock })
  const confirmations = openConfirmations({ logIns, clock: world.clock, validMs: parts.confirmedMs })

  const services: Accounts['services'] = {
    accounts: {
      list: async () => accounts.list(),
      add: async (given) => accounts.add(given),
      async remove({ name }) {
        accounts.remove(name)
        return {}
      },
      setPassword: async ({ name, password }) => accounts.setPassword(name, password),
      setRoles: async ({ name, roles }) => accounts.setRoles(name, roles),
      async confirm({ password }, caller) {
        await confirmations.confirm(caller, password)
        return {}
      },
    },
    sessions: {
      list: async (_, { session }) => sessions.list(session),
      async revoke({ session }) {
        store.transaction(() => {
          sessions.revoke(session)
          note('sessionRevoked', String(session))
        })
        return {}
      },
    },
  }
  const door = { ...logIns, isAny: () => accounts.list().length > 0 }
  return { services, door, confirmations, rolesOf: accounts.rolesOf }
}
