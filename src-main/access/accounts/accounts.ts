/** Accounts of a server: names, roles and passwords. What an account may do is in `contract/roles.ts`; who is logged in, in `sessions.ts`. */
import { roles as allRoles, type Role } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { AccountRow } from '../../contract/services/accounts.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { accountStatements, sessionStatements, type AccountDbRow } from './accounts.sql.ts'
import { isPassword, storedPassword } from './passwords.ts'

/** The accounts of an archive. Functions that name one throw `Fault` notFound where there is none. */
export interface Accounts {
  list(): AccountRow[]
  show(name: string): AccountRow
  /** An account with its name as it was added; undefined where there is none. */
  find(name: string): AccountRow | undefined
  /** The roles of an account; undefined where there is none. */
  rolesOf(name: string): Role[] | undefined
  /** Rejects with `Fault` badInput for a name that is taken, in any case. */
  add(given: { name: string; roles: readonly Role[]; password: string }): Promise<AccountRow>
  /** Ends all sessions of the account, in the same transaction. */
  remove(name: string): void
  /** Ends all sessions of the account, in the same transaction. */
  setPassword(name: string, password: string): Promise<AccountRow>
  /** Applies from the next request of each session. */
  setRoles(name: string, roles: readonly Role[]): AccountRow
  /** The account with this name and password; undefined where there is none, after as long a time. */
  verified(name: string, password: string): Promise<AccountRow | undefined>
}

/** What was done to an account. */
type AccountAction = 'accountAdded' | 'accountRemoved' | 'passwordSet' | 'rolesSet'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  /** Called in the transaction of each change, with the name of the account. */
  onAction: (action: AccountAction, name: string, became?: { roles: Role[] }) => void
}

/** Opens the accounts. */
export function openAccounts({ store, world, onAction }: Parts): Accounts {
  const { clock } = world
  const sql = accountStatements(store)
  const { removeOf } = sessionStatements(store)

  function stored(name: string): AccountDbRow {
    const row = sql.one.get({ name })
    if (!row) throw new Fault('notFound', message('account.absent', { name }))
    return row
  }

  function refuseTaken(name: string): void {
    const row = sql.one.get({ name })
    if (row) throw new Fault('badInput', message('account.taken', { name: row.name }), { fields: [['name']] })
  }

  return {
    list: () => sql.all.all({}).map(accountRow),
    show: (name) => accountRow(stored(name)),
    find(name) {
      const row = sql.one.get({ name })
      return row && accountRow(row)
    },
    rolesOf(name) {
      const row = sql.one.get({ name })
      return row && rolesIn(row.roles)
    },
    async add({ name, roles, password }) {
      refuseTaken(name)
      const hashed = await storedPassword(password)
      return store.transaction(() => {
        refuseTaken(name)
        sql.add.run({ name, roles: jsonOf(roles), password: hashed, nowMs: clock.now() })
        const row = accountRow(stored(name))
        onAction('accountAdded', row.name, { roles: row.roles })
        return row
      })
    },
    remove(name) {
      store.transaction(() => {
        const { id, name: own } = stored(name)
        removeOf.run({ account: id })
        sql.remove.run({ id })
        onAction('accountRemoved', own)
      })
    },
    async setPassword(name, password) {
      stored(name)
      const hashed = await storedPassword(password)
      return store.transaction(() => {
        const { id } = stored(name)
        removeOf.run({ account: id })
        sql.setPassword.run({ id, password: hashed, nowMs: clock.now() })
        const row = accountRow(stored(name))
        onAction('passwordSet', row.name)
        return row
      })
    },
    setRoles(name, roles) {
      return store.transaction(() => {
        sql.setRoles.run({ id: stored(name).id, roles: jsonOf(roles) })
        const row = accountRow(stored(name))
        onAction('rolesSet', row.name, { roles: row.roles })
        return row
      })
    },
    async verified(name, password) {
      const isRight = await isPassword(password, sql.one.get({ name })?.password)
      // It may have been removed meanwhile.
      const row = sql.one.get({ name })
      return isRight && row ? accountRow(row) : undefined
    },
  }
}

/** In the order of `roles`, each once. */
function jsonOf(roles: readonly Role[]): string {
  return JSON.stringify(allRoles.filter((role) => roles.includes(role)))
}

/** Reads stored roles. A role of another version of Loupe permits nothing. */
export function rolesIn(json: string): Role[] {
  const named: unknown = JSON.parse(json)
  return Array.isArray(named) ? allRoles.filter((role) => named.includes(role)) : []
}

function accountRow({ name, roles, addedMs, passwordSetMs, sessions }: AccountDbRow): AccountRow {
  const [added, passwordSet] = [new Date(addedMs).toISOString(), new Date(passwordSetMs).toISOString()]
  return { name, roles: rolesIn(roles), added, passwordSet, sessions }
}
