/** When may which host be asked again: one connection and a pause, robots.txt before anything else. It holds what is known
 *  of the hosts of one running job, and the documents that were claimed for them. It fetches nothing. */
import { crawlDelayMs, parseRobots, type Robots } from '../formats/links/robots.ts'
import type { DocumentToFetch, HostRow } from './frontier.sql.ts'
import type { Frontier } from './frontier.ts'
import { claimCountMax, crawlDelayMsMax } from './limits.ts'

export type RobotsOf =
  | { kind: 'unknown' }
  | { kind: 'allowed' }
  | { kind: 'rules'; robots: Robots; crawlDelayMs: number }
  | { kind: 'unreachable'; reason: string }

/** What is asked of politely: a name, whatever scheme and port it is asked under. */
interface Server {
  inFlight: number
  /** Not before this moment. */
  readyMs: number
}

/** One origin: its rules are its own (RFC 9309 section 2.3), its politeness is that of its host name. */
export interface HostTurn {
  id: number
  origin: string
  robots: RobotsOf
  server: Server
  /** When there may be something to claim again: the next document is due, or the rules are known. */
  lookMs: number
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
  /** Up to when the stretch before may have asked any host; absent in the first stretch of a job. */
  askedUntilMs?: number
}

/** A host whose documents all wait for an event (a login, say) is looked at again after this. */
const eventWaitMs = 250
/** A host whose robots.txt is on its way is looked at again after this. */
const robotsWaitMs = 250

export function turnsOf(setting: TurnSetting): Turns {
  const { frontier, delayMs, connectionsPerHost, robots, robotsToken, askedUntilMs = -Infinity } = setting
  const turns = new Map<number, HostTurn>()
  const servers = new Map<string, Server>()
  /** Hosts with something to do, in the order in which they are asked; who was served goes to the end. */
  const waiting = new Set<HostTurn>()

  function turnOf(row: HostRow): HostTurn {
    const known = turns.get(row.id)
    if (known) return known
    const turn: HostTurn = {
      id: row.id,
      origin: row.origin,
      robots: robotsOf(row.robotsState, row.robotsText, robotsToken),
      server: serverOf(new URL(row.origin).hostname),
      lookMs: 0,
      claimed: [],
    }
    turns.set(row.id, turn)
    turn.server.readyMs = Math.max(turn.server.readyMs, askedUntilMs + pauseMs(turn))
    return turn
  }

  function serverOf(name: string): Server {
    const known = servers.get(name) ?? { inFlight: 0, readyMs: 0 }
    servers.set(name, known)
    return known
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
    // Due, and not handed out: it waits for an event to be over.
    if (dueMs !== undefined) host.lookMs = dueMs > nowMs ? dueMs : nowMs + eventWaitMs
    // The rules are on their way or being written down.
    else if (onlyRobots) host.lookMs = nowMs + robotsWaitMs
    else waiting.delete(host)
  }

  function take(host: HostTurn, nowMs: number): DocumentToFetch | undefined {
    if (host.claimed.length === 0) claim(host, nowMs)
    const first = host.claimed.shift()
    if (!first) return undefined
    host.server.inFlight += 1
    waiting.delete(host)
    waiting.add(host)
    return first
  }

  return {
    wake(row) {
      const host = turnOf(row)
      host.lookMs = 0
      waiting.add(host)
    },
    wakeAgain(host) {
      host.lookMs = 0
      waiting.add(host)
    },
    next(nowMs) {
      let againMs: number | undefined
      for (const host of waiting) {
        if (host.server.inFlight >= connectionsPerHost) continue
        if (readyMs(host) <= nowMs) {
          const document = take(host, nowMs)
          if (document) return { host, document }
          if (!waiting.has(host)) continue
        }
        againMs = Math.min(againMs ?? Infinity, readyMs(host))
      }
      return { againMs }
    },
    ended(host, fetchedMs) {
      const { server } = host
      server.inFlight -= 1
      if (fetchedMs !== undefined) server.readyMs = Math.max(server.readyMs, fetchedMs + pauseMs(host))
      waiting.add(host)
    },
    setRobots(host, state, text) {
      host.robots = robotsOf(state, text, robotsToken)
      host.lookMs = 0
    },
  }
}

function readyMs({ server, lookMs, claimed }: HostTurn): number {
  return claimed.length > 0 ? server.readyMs : Math.max(server.readyMs, lookMs)
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
