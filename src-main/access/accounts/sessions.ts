/**
 * Sessions of accounts: who is logged in. The client has a random token; the database has its SHA-256, so that a copy of the database opens no
 * session. A session ends when it is revoked, when its account is removed or gets another password, and when its time is over.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { SessionRow } from '../../contract/services/accounts.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { rolesIn } from './accounts.ts'
import { sessionStatements, type SessionDbRow } from './accounts.sql.ts'

const tokenBytes = 32
/** Characters of the name of a client that are kept. */
const clientCharactersMax = 200
/** Sessions that an account has at once: the oldest ends where there would be more. */
export const sessionsPerAccountMax = 20
/** A request within this time of the last one writes nothing. */
const seenEveryMs = 60_000

/** Settings of sessions. */
export interface SessionLimits {
  /** Time without a request after which a session is over. */
  idleMs: number
  /** Time after which a session is over in any case. */
  totalMs: number
}

/** A session of a request. */
interface FoundSession {
  id: number
  account: string
  roles: readonly Role[]
}

/** The sessions of an archive. */
export interface Sessions {
  /** Begins a session and returns its token, which is given to the client and never stored. Throws `Fault` notFound without the account. */
  begin(by: { account: string; address: string; client: string }): string
  /** Finds the session with this token and restarts its idle time. Undefined: there is none, or it has expired. */
  of(token: string): FoundSession | undefined
  /** Whether the time of the session with this token is not over. It changes nothing. */
  isOpen(token: string): boolean
  /** Those whose time is not over, oldest first. `own`: the number of the caller's session. */
  list(own?: number): SessionRow[]
  /** Ends a session. Throws `Fault` notFound. */
  revoke(id: number): void
}

/** Opens the sessions. */
export function openSessions(parts: {
  store: Store
  world: Pick<World, 'clock'>
  /** Read at each use, so that a change takes effect at once. */
  limits: () => SessionLimits
}): Sessions {
  const { store, limits, world } = parts
  const sql = sessionStatements(store)

  function removeOver(nowMs: number): void {
    const { idleMs, totalMs } = limits()
    sql.removeOver.run({ begunBeforeMs: nowMs - totalMs, seenBeforeMs: nowMs - idleMs })
  }

  /** A clock that was set back lengthens no session: one that begins in the future is over. */
  function isOver({ begunMs, seenMs }: SessionDbRow, nowMs: number): boolean {
    const { idleMs, totalMs } = limits()
    return begunMs > nowMs || nowMs - begunMs >= totalMs || nowMs - seenMs >= idleMs
  }

  return {
    begin({ account, address, client }) {
      const token = randomBytes(tokenBytes).toString('base64url')
      store.transaction(() => {
        const nowMs = world.clock.now()
        removeOver(nowMs)
        sql.keepNewest.run({ account, keptMax: sessionsPerAccountMax - 1 })
        const named = { account, address, client: client.slice(0, clientCharactersMax) }
        const changes = sql.add.run({ ...named, tokenSha256: digestOf(token), nowMs })
        if (changes === 0) throw new Fault('notFound', message('account.absent', { name: account }))
      })
      return token
    },
    of(token) {
      const row = sql.one.get({ tokenSha256: digestOf(token) })
      const nowMs = world.clock.now()
      if (!row || isOver(row, nowMs)) return undefined
      if (nowMs - row.seenMs >= Math.min(seenEveryMs, limits().idleMs / 2)) sql.see.run({ id: row.id, nowMs })
      return { id: row.id, account: row.account, roles: rolesIn(row.roles) }
    },
    isOpen(token) {
      const row = sql.one.get({ tokenSha256: digestOf(token) })
      return row !== undefined && !isOver(row, world.clock.now())
    },
    list(own) {
      const nowMs = world.clock.now()
      return sql.all.all({}).flatMap((row) => (isOver(row, nowMs) ? [] : sessionRow(row, own)))
    },
    revoke(id) {
      if (sql.remove.run({ id }) === 0) throw new Fault('notFound', message('session.absent', { session: id }))
    },
  }
}

/** A token has 256 random bits: a fast digest without salt is enough. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function sessionRow(
  { id, account, address, client, begunMs, seenMs }: SessionDbRow,
  own: number | undefined,
): SessionRow {
  const [begun, seen] = [new Date(begunMs).toISOString(), new Date(seenMs).toISOString()]
  return { session: id, account, address, client, begun, seen, isOwn: id === own }
}
