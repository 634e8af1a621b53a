/** The frontier: every URL a job knows, and whose turn it is. It does not fetch and does not know HTTP. A turn is claimed by
 *  one UPDATE, so two workers can never hold the same document (see `claim`). One frontier belongs to one running job. */
import { hash } from 'node:crypto'
import type { Reason } from '../contract/outcomes.ts'
import type { Store } from '../storage/storage.ts'
import { frontierStatements, type DocumentToFetch, type HostRow, type Role } from './frontier.sql.ts'
import { seenCountMax } from './limits.ts'

/** A URL that was found, with what the scope said of it. */
export interface Candidate {
  url: string
  role: Role
  hopPath: string
  hops: number
  via: number | null
  /** Set when it is only remembered, not fetched. */
  excluded?: { reason: Reason; detail: string }
}

/** A document that was too far, and is not any more. */
export interface Reached {
  id: number
  url: string
  /** The way by which it is nearer. */
  via: number | null
  hopPath: string
  hops: number
}

export interface Counts {
  total: number
  fetched: number
  failed: number
  excluded: number
  duplicate: number
  bytes: number
}

type Added = Pick<Counts, 'total' | 'excluded'>

export const noCounts: Counts = { total: 0, fetched: 0, failed: 0, excluded: 0, duplicate: 0, bytes: 0 }

export interface Frontier {
  hosts(): (HostRow & { pending: number })[]
  /** At most `limit` waiting documents of the host, nearest to a seed first; they are ACTIVE now. */
  claim(turn: { host: number; limit: number; nowMs: number; onlyRobots: boolean }): DocumentToFetch[]
  /** When the host's next waiting document is due; undefined when none waits. */
  nextDueMs(host: number, onlyRobots: boolean): number | undefined
  /** Whether it waits or was fetched already, as far as that is remembered without asking the database: true is certain. */
  isWanted(url: string): boolean
  /** Inside a transaction. Returns what it changed in the job's counters and the hosts that now have something waiting. */
  discover(candidates: Candidate[], nowMs: number): { counts: Counts; hosts: HostRow[] }
  /** Inside a transaction. They wait for their turn; returns what it changed in the counters and their hosts. */
  reach(documents: readonly Reached[], nowMs: number): { counts: Counts; hosts: HostRow[] }
  /** The hosts of what is to be fetched again. */
  hostsFor(urls: readonly string[]): HostRow[]
  /** What `discover` remembers may have been rolled back: from now on the database is asked again. */
  forget(): void
  redirectedSeeds(): string[]
  /** Everything claimed and not settled waits again. */
  release(): void
}

export function openFrontier(store: Store, job: number, robots: 'obey' | 'ignore'): Frontier {
  const sql = frontierStatements(store)
  const hosts = new Map<string, HostRow>()
  const robotsAsked = new Set<number>()
  let seen = new Set<string>()

  function hostOf(url: string): HostRow {
    const origin = originOf(url)
    const known = hosts.get(origin)
    if (known) return known
    const added = sql.addHost.get({ job, origin })
    if (!added) throw new Error(`no row for the host ${origin}`)
    hosts.set(origin, added)
    return added
  }

  /** Every host is asked for its robots.txt before anything else: hops −1 puts it first in the host's turn. */
  function askForRobots(host: HostRow, { hopPath, via }: Pick<Candidate, 'hopPath' | 'via'>, nowMs: number): Added {
    if (robots === 'ignore' || host.robotsState !== 'UNKNOWN' || robotsAsked.has(host.id))
      return { total: 0, excluded: 0 }
    robotsAsked.add(host.id)
    const url = `${host.origin}/robots.txt`
    return add({ url, role: 'robots', hopPath: `${hopPath}P`, hops: -1, via }, host, nowMs)
  }

  function add(candidate: Candidate, host: HostRow, nowMs: number): Added {
    const { excluded } = candidate
    const row = {
      job,
      key: keyOf(candidate.url),
      url: candidate.url,
      host: host.id,
      state: excluded ? stateOfExcluded(excluded.reason) : ('PENDING' as const),
      outcome: excluded ? 'excluded' : null,
      reason: excluded?.reason ?? null,
      detail: excluded?.detail ?? null,
      role: candidate.role,
      hopPath: candidate.hopPath,
      hops: candidate.hops,
      via: candidate.via,
      dueMs: nowMs,
    }
    if (sql.add.run(row) === 1) return { total: 1, excluded: excluded ? 1 : 0 }
    if (excluded) return { total: 0, excluded: 0 }
    // Of an earlier run: it counts in this one from now on.
    if (sql.rediscover.run(row) === 1) return { total: 1, excluded: 0 }
    return { total: 0, excluded: sql.revive.run(row) === 1 ? -1 : 0 }
  }

  return {
    hosts() {
      const rows = sql.hostsOf.all({ job })
      for (const row of rows) hosts.set(row.origin, row)
      return rows
    },
    claim: ({ onlyRobots, ...turn }) =>
      sql.claim.all({ ...turn, hopsBelow: hopsBelow(onlyRobots) }).sort((a, b) => a.hops - b.hops || a.id - b.id),
    nextDueMs: (host, onlyRobots) => sql.nextDue.get({ host, hopsBelow: hopsBelow(onlyRobots) })?.dueMs ?? undefined,
    isWanted: (url) => seen.has(`+${url}`),
    discover(candidates, nowMs) {
      const counts = { ...noCounts }
      const woken = new Map<number, HostRow>()
      for (const candidate of candidates) {
        const mark = candidate.excluded ? `-${candidate.url}` : `+${candidate.url}`
        if (seen.has(mark)) continue
        if (seen.size >= seenCountMax) seen = new Set()
        seen.add(mark)
        const host = hostOf(candidate.url)
        // Before the candidate, which may be a link to robots.txt itself: as a page it would wait for its own rules.
        const asked = candidate.excluded ? { total: 0, excluded: 0 } : askForRobots(host, candidate, nowMs)
        const { total, excluded } = add(candidate, host, nowMs)
        counts.total += total + asked.total
        counts.excluded += excluded + asked.excluded
        if (candidate.excluded || (total === 0 && excluded === 0 && asked.total === 0 && asked.excluded === 0)) continue
        woken.set(host.id, host)
      }
      return { counts, hosts: [...woken.values()] }
    },
    reach(documents, nowMs) {
      const counts = { ...noCounts }
      const woken = new Map<number, HostRow>()
      for (const { url, ...document } of documents) {
        const host = hostOf(url)
        const asked = askForRobots(host, document, nowMs)
        counts.total += asked.total
        counts.excluded += asked.excluded
        sql.reach.run({ ...document, dueMs: nowMs })
        woken.set(host.id, host)
      }
      return { counts, hosts: [...woken.values()] }
    },
    hostsFor: (urls) => [...new Set(urls.map(hostOf))],
    forget() {
      seen = new Set()
      robotsAsked.clear()
      hosts.clear()
    },
    redirectedSeeds: () => sql.redirectedSeeds.all({ job }).map(({ url }) => url),
    release: () => void sql.releaseClaimed.run({ job }),
  }
}

/** Files have no origin of their own; to the queue they come from one host without a name. */
function originOf(url: string): string {
  const { origin, protocol } = new URL(url)
  return protocol === 'file:' ? 'file://' : origin
}

/** robots.txt stands at hops −1, before everything else. */
function hopsBelow(onlyRobots: boolean): number {
  return onlyRobots ? 0 : Number.MAX_SAFE_INTEGER
}

/** What is only too far is kept in mind: a shorter way may be found. */
function stateOfExcluded(reason: Reason): 'COMPLETE' | 'HOPCOUNTREMOVED' {
  return reason === 'tooManyHops' ? 'HOPCOUNTREMOVED' : 'COMPLETE'
}

export function keyOf(url: string): Uint8Array {
  return hash('sha256', url, 'buffer')
}
