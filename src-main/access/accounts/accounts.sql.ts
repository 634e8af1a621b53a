/** SQL statements on accounts and their sessions. */
import type { Store } from '../../storage/storage.ts'

/** Tables whose rows give access. Backups of the database omit them. */
export const accountSessionTables: readonly string[] = ['account_session']

/** An account as it is stored. `roles`: JSON. */
export interface AccountDbRow {
  id: number
  name: string
  roles: string
  password: string
  addedMs: number
  passwordSetMs: number
  /** Number of its sessions, those whose time is over included. */
  sessions: number
}

/** A session as it is stored, with what is known about its account. */
export interface SessionDbRow {
  id: number
  account: string
  roles: string
  address: string
  client: string
  begunMs: number
  seenMs: number
}

const accountColumns = `id, name, roles, password, added_ms AS addedMs, password_set_ms AS passwordSetMs,
  (SELECT COUNT(*) FROM account_session INDEXED BY account_session_by_account WHERE account_id = account.id) AS sessions`

/** Prepares the statements on accounts. */
export function accountStatements(store: Store) {
  return {
    all: store.statement<object, AccountDbRow>(`SELECT ${accountColumns} FROM account ORDER BY name`),
    one: store.statement<{ name: string }, AccountDbRow>(`SELECT ${accountColumns} FROM account WHERE name = @name`),
    add: store.statement<{ name: string; roles: string; password: string; nowMs: number }>(
      `INSERT INTO account (name, roles, password, added_ms, password_set_ms)
       VALUES (@name, @roles, @password, @nowMs, @nowMs)`,
    ),
    setPassword: store.statement<{ id: number; password: string; nowMs: number }>(
      'UPDATE account SET password = @password, password_set_ms = @nowMs WHERE id = @id',
    ),
    setRoles: store.statement<{ id: number; roles: string }>('UPDATE account SET roles = @roles WHERE id = @id'),
    remove: store.statement<{ id: number }>('DELETE FROM account WHERE id = @id'),
  }
}

const sessionColumns = `account_session.id, account.name AS account, account.roles, address, client,
  begun_ms AS begunMs, seen_ms AS seenMs`
const withAccount = 'FROM account_session JOIN account ON account.id = account_id'

/** Prepares the statements on sessions. */
export function sessionStatements(store: Store) {
  return {
    all: store.statement<object, SessionDbRow>(`SELECT ${sessionColumns} ${withAccount} ORDER BY account_session.id`),
    one: store.statement<{ tokenSha256: string }, SessionDbRow>(
      `SELECT ${sessionColumns} ${withAccount} WHERE token_sha256 = @tokenSha256`,
    ),
    add: store.statement<{ tokenSha256: string; account: string; address: string; client: string; nowMs: number }>(
      `INSERT INTO account_session (token_sha256, account_id, address, client, begun_ms, seen_ms)
       SELECT @tokenSha256, id, @address, @client, @nowMs, @nowMs FROM account WHERE name = @account`,
    ),
    see: store.statement<{ id: number; nowMs: number }>('UPDATE account_session SET seen_ms = @nowMs WHERE id = @id'),
    remove: store.statement<{ id: number }>('DELETE FROM account_session WHERE id = @id'),
    /** Removes all but the newest sessions of an account. */
    keepNewest: store.statement<{ account: string; keptMax: number }>(
      `DELETE FROM account_session WHERE id IN (
         SELECT account_session.id ${withAccount} WHERE account.name = @account
         ORDER BY account_session.id DESC LIMIT -1 OFFSET @keptMax)`,
    ),
    removeOver: store.statement<{ begunBeforeMs: number; seenBeforeMs: number }>(
      'DELETE FROM account_session WHERE begun_ms <= @begunBeforeMs OR seen_ms <= @seenBeforeMs',
    ),
    removeOf: store.statement<{ account: number }>('DELETE FROM account_session WHERE account_id = @account'),
  }
}
