/** Requests for the tokens of a user (ManifoldCF in Action, 12.7): every authority connection of the domains is asked at the same time, after
 *  the mappings before it, and the answers are put together. Nothing of a request is stored. */
import { Fault } from '../../contract/calls/faults.ts'
import type {
  AccessRequest,
  AuthorityAnswer,
  AuthorityConnectionRow,
  AuthorityKind,
  UserAccess,
} from '../../contract/services/authorities.ts'
import { message } from '../../contract/words/message.ts'
import { stopwatch } from '../../world/stopwatch.ts'
import type { Clock } from '../../world/world.ts'
import type { WorkerSettings } from '../model/accessSettings.ts'
import {
  assembled,
  checkedAnswer,
  unmapped,
  unreachable,
  userNotFound,
  type Answer,
  type MappedUser,
} from '../model/answer.ts'
import type { OpenConnection } from '../model/connector.ts'
import { foldedName } from '../store/sameName.ts'
import { askedConnections } from './askedConnections.ts'

/** What requests need. */
export interface RequestParts {
  clock: Clock
  settings: () => WorkerSettings
  /** The connections as they are stored now. */
  rows(): readonly AuthorityConnectionRow[]
  /** Whether the connector of a connection is installed. */
  isInstalled(row: AuthorityConnectionRow): boolean
  authorityOf(row: AuthorityConnectionRow): OpenConnection<Answer>
  mappingOf(row: AuthorityConnectionRow): OpenConnection<MappedUser>
  /** Takes an error of a connector that is a bug. */
  onBug(error: unknown): void
}

/** Answers requests. */
export interface Requests {
  /** Asks for the tokens of a user. Rejects with `Fault`: badInput for a domain that is given twice; notAllowed when the connector of a connection
   *  is not installed, because a request that leaves out an authority could grant what it denies; unreachable when too many questions are
   *  waiting. */
  ask(request: AccessRequest): Promise<UserAccess>
  /** Drops what is known of a connection, because it has changed. */
  forget(kind: AuthorityKind, name: string): void
}

type AuthorityRow = Extract<AuthorityConnectionRow, { kind: 'authority' }>

/** Makes a service without kept answers. */
export function openRequests({ clock, settings, onBug, ...parts }: RequestParts): Requests {
  const authorities = askedConnections<Answer>({
    ...{ clock, onBug, workers: () => settings().workers, failed: unreachable },
    open(row) {
      const connection = parts.authorityOf(row)
      return { ...connection, ask: async (user, signal) => checkedAnswer(await connection.ask(user, signal)) }
    },
    // An authority that is reachable again is asked at once.
    isKept: ({ status }) => status !== 'UNREACHABLE',
  })
  const mappings = askedConnections<MappedUser>({
    ...{ clock, onBug, workers: () => settings().mappingWorkers, open: parts.mappingOf },
    failed: (problem) => ({ problem }),
    isKept: (mapped) => 'user' in mapped,
  })

  /** Returns a function that gives the name of the user of a domain after a mapping and those before it. Each runs once per domain. */
  function mapper(rows: readonly AuthorityConnectionRow[], userOf: (domain: string) => string) {
    const begun = new Map<string, Promise<MappedUser>>()
    const mapped = (name: string | undefined, domain: string): Promise<MappedUser> => {
      if (name === undefined) return Promise.resolve({ user: userOf(domain) })
      const key = `${foldedName(name)} ${domain}`
      const known = begun.get(key) ?? map(mappingNamed(rows, name), domain)
      begun.set(key, known)
      return known
    }
    const map = async (row: AuthorityConnectionRow, domain: string): Promise<MappedUser> => {
      const before = await mapped(row.mapping, domain)
      if ('problem' in before || before.user === undefined) return before
      const after = await mappings.ask(row, before.user)
      return 'problem' in after ? { problem: message('authority.mapping.failed', { name: row.name, ...after }) } : after
    }
    return mapped
  }

  async function answerOf(row: AuthorityRow, mapped: Promise<MappedUser>): Promise<AuthorityAnswer> {
    const elapsedMs = stopwatch(clock)
    const found = await mapped
    const user = 'user' in found ? (found.user ?? null) : null
    const answer =
      'problem' in found ? unmapped(found.problem) : user === null ? userNotFound : await authorities.ask(row, user)
    const { status, tokens, problem = null } = answer
    const { name: authority, description, group, domain } = row
    return {
      authority,
      description,
      group,
      domain,
      user,
      status,
      tokens: [...tokens],
      milliseconds: elapsedMs(),
      problem,
    }
  }

  return {
    async ask({ users }) {
      const byDomain = usersByDomain(users)
      const rows = parts.rows()
      const chosen = rows.filter(
        (row): row is AuthorityRow => row.kind === 'authority' && byDomain.has(foldedName(row.domain)),
      )
      for (const row of chosen) refuseUninstalled([row, ...mappingsBefore(rows, row)], parts.isInstalled)
      const mapped = mapper(rows, (domain) => byDomain.get(domain) ?? '')
      return assembled(
        await Promise.all(chosen.map((row) => answerOf(row, mapped(row.mapping, foldedName(row.domain))))),
      )
    },
    forget: (kind, name) => (kind === 'authority' ? authorities : mappings).forget(name),
  }
}

/** Returns the users by the folded names of their domains. */
function usersByDomain(users: AccessRequest['users']): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, { user, domain = '' }] of users.entries()) {
    const key = foldedName(domain)
    if (found.has(key)) {
      const problem = message('authority.domain.twice', { name: domain })
      throw new Fault('badInput', problem, { fields: [['users', at, 'domain']] })
    }
    found.set(key, user)
  }
  return found
}

function mappingNamed(rows: readonly AuthorityConnectionRow[], name: string): AuthorityConnectionRow {
  const found = rows.find((row) => row.kind === 'mapping' && foldedName(row.name) === foldedName(name))
  if (!found) throw new Error(`the database refers to no mapping ${name}`)
  return found
}

function mappingsBefore(
  rows: readonly AuthorityConnectionRow[],
  { mapping }: AuthorityConnectionRow,
): AuthorityConnectionRow[] {
  if (mapping === undefined) return []
  const row = mappingNamed(rows, mapping)
  return [row, ...mappingsBefore(rows, row)]
}

function refuseUninstalled(rows: readonly AuthorityConnectionRow[], isInstalled: RequestParts['isInstalled']): void {
  const lacking = rows.find((row) => !isInstalled(row))
  if (!lacking) return
  const { name, connector } = lacking
  throw new Fault('notAllowed', message('authority.notInstalled', { name, connector }))
}
