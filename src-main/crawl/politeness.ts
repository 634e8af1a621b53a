/** When may which host be asked again: one connection and a pause, robots.txt before anything else. It holds what is known
 *  of the hosts of one running job, and the documents that were claimed for them. It fetches nothing. */
import { crawlDelayMs, parseRobots, type Robots } from '../formats/robots.ts'
import type { DocumentToFetch, HostRow } from './frontier.sql.ts'
import type { Frontier } from './frontier.ts'
import { claimCountMax, crawlDelayMsMax } from './limits.ts'

export type RobotsOf =
  | { kind: 'unknown' }
  | { kind: 'allowed' }
  | { kind: 'rules'; robots: Robots; crawlDelayMs: number }
  | { kind: 'unreachable'; reason: string }

export interface HostTurn {
  id: number
  origin: string
  robots: RobotsOf
  inFlight: number
  /** Not before this moment. */
  readyMs: number
  claimed: DocumentToFetch[]
}

export interface Turns {
  /** A host has something waiting. */
  wake(row: HostRow): void
  /** The same of a host whose document was put back: it may have been looked at, and found empty, in between. */
  wakeAgain(host: HostTurn): void
  /** The next document that may be fetched now, or when to ask again (undefined: nothing waits and nothing is claimed). */
  next(nowMs: number): { host: HostTurn; document: DocumentToFetch } | { againMs: number | undefined }
  /** A turn of this host has ended: by a request that was over at `fetchedMs`, or without one. */
  ended(host: HostTurn, fetchedMs: number | undefined): void
  setRobots(host: HostTurn, state: HostRow['robotsState'], text: string | null): void
}

export interface TurnSetting {
  frontier: Frontier
  delayMs: number
  connectionsPerHost: number
  robots: 'obey' | 'ignore'
  /** The name that robots.txt knows us by. */
  robotsToken: string
}

/** A host whose robots.txt is on its way is looked at again after this. */
const robotsWaitMs = 250

export function turnsOf({ frontier, delayMs, connectionsPerHost, robots, robotsToken }: TurnSetting): Turns {
  const turns = new Map<number, HostTurn>()
  /** Hosts with something to do, in the order in which they are asked; who was served goes to the end. */
  const waiting = new Set<HostTurn>()

  function turnOf(row: HostRow): HostTurn {
    const known = turns.get(row.id)
    if (known) return known
    const turn: HostTurn = {
      id: row.id,
      origin: row.origin,
      robots: robotsOf(row.robotsState, row.robotsText, robotsToken),
      inFlight: 0,
      readyMs: 0,
      claimed: [],
    }
    turns.set(row.id, turn)
    return turn
  }

  /** Until the rules are known only robots.txt itself may be asked for. */
  const waitsForRobots = (host: HostTurn) => robots === 'obey' && host.robots.kind === 'unknown'

  /** The setting, or what the host's robots.txt asks for when that is more. */
  function pauseMs({ robots: rules }: HostTurn): number {
    return rules.kind === 'rules' ? Math.max(delayMs, rules.crawlDelayMs) : delayMs
  }

  function claim(host: HostTurn, nowMs: number): void {
    const onlyRobots = waitsForRobots(host)
    host.claimed = frontier.claim({ host: host.id, limit: pauseMs(host) > 0 ? 1 : claimCountMax, nowMs, onlyRobots })
    if (host.claimed.length > 0) return
    const dueMs = frontier.nextDueMs(host.id, onlyRobots)
    if (dueMs !== undefined) host.readyMs = Math.max(host.readyMs, dueMs)
    // The rules are on their way or being written down.
    else if (onlyRobots) host.readyMs = nowMs + robotsWaitMs
    else waiting.delete(host)
  }

  function take(host: HostTurn, nowMs: number): DocumentToFetch | undefined {
    if (host.claimed.length === 0) claim(host, nowMs)
    const first = host.claimed.shift()
    if (!first) return undefined
    host.inFlight += 1
    waiting.delete(host)
    waiting.add(host)
    return first
  }

  return {
    wake(row) {
      waiting.add(turnOf(row))
    },
    wakeAgain: (host) => void waiting.add(host),
    next(nowMs) {
      let againMs: number | undefined
      for (const host of waiting) {
        if (host.inFlight >= connectionsPerHost) continue
        if (host.readyMs <= nowMs) {
          const document = take(host, nowMs)
          if (document) return { host, document }
          if (!waiting.has(host)) continue
        }
        againMs = Math.min(againMs ?? Infinity, host.readyMs)
      }
      return { againMs }
    },
    ended(host, fetchedMs) {
      host.inFlight -= 1
      if (fetchedMs !== undefined) host.readyMs = Math.max(host.readyMs, fetchedMs + pauseMs(host))
      waiting.add(host)
    },
    setRobots(host, state, text) {
      host.robots = robotsOf(state, text, robotsToken)
    },
  }
}

function robotsOf(state: HostRow['robotsState'], text: string | null, token: string): RobotsOf {
  if (state === 'UNKNOWN') return { kind: 'unknown' }
  if (state === 'ALLOWED') return { kind: 'allowed' }
  if (state === 'RULES') {
    const robots = parseRobots(text ?? '')
    return { kind: 'rules', robots, crawlDelayMs: Math.min(crawlDelayMs(robots, token) ?? 0, crawlDelayMsMax) }
  }
  return { kind: 'unreachable', reason: text ?? 'robotsUnreachable' }
}
