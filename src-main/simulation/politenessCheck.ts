/** Checks the politeness of the harvester on the network: connections per host, pauses between requests, robots.txt fetched first and
 *  obeyed. It sees connections and requests only and knows nothing of the engine. */
import { crawlDelayMs, mayFetch, parseRobots } from '../formats/links/robots.ts'
import type { Connection, Target, World } from '../world/world.ts'
import { isOfLogin, logoutPath } from './members.ts'
import type { Host, Site } from './site.ts'

/** The politeness that was configured. `onAsk` is called with the URL of each request. */
export interface PolitenessExpected {
  connectionsPerHost: number
  delayMs: number
  /** Product token of the harvester in robots.txt. */
  robotsToken: string
  onAsk?: (url: string) => void
}

/** Observes the requests of one harvest on all its machines. */
export interface PolitenessCheck {
  /** The world that the engine must use, with its network observed. */
  over(world: World): World
  /** Forgets the pauses of a host, whose rules may have changed. */
  forgivePauses(): void
  /** Forgets open connections after a power cut; requests stay known. */
  forgetConnections(): void
  readonly requests: number
  violations(): string[]
}

/** What is known of a host so far. */
interface Seen {
  host: Host
  open: Set<object>
  /** End of the last request, or of the last attempt to connect. */
  endedMs: number
  lastPath: string
  robotsAnswered: boolean
}

/** Rules of a generated host. */
const rulesPaths: readonly string[] = ['/robots.txt', '/rules.txt']

/** Returns a check for the hosts of a site. Other hosts are not checked. */
export function politenessCheckOf(site: Site, expected: PolitenessExpected): PolitenessCheck {
  const violations = new Set<string>()
  const hosts = new Map(site.hosts.map((host) => [`${host.name}:${host.port}`, newlySeen(host)]))
  let requests = 0

  function begin(seen: Seen, nowMs: number, path: string): void {
    const { host } = seen
    if (host.members && isOfLogin(path, seen.lastPath)) return
    // The rules of robots.txt are known only after it was fetched.
    const isKnown = seen.robotsAnswered && !rulesPaths.includes(seen.lastPath) && expected.delayMs > 0
    const rules = isKnown ? (host.robotsText ?? '') : ''
    const pauseMs = Math.max(expected.delayMs, crawlDelayMs(parseRobots(rules), expected.robotsToken) ?? 0)
    if (nowMs - seen.endedMs < pauseMs)
      violations.add(
        `${host.origin} was asked for ${path} ${nowMs - seen.endedMs} ms after ${seen.lastPath}, instead of ${pauseMs} ms.`,
      )
  }

  function ask(seen: Seen, path: string): void {
    const { host } = seen
    seen.lastPath = path
    requests += 1
    expected.onAsk?.(`${host.origin}${path}`)
    if (host.members?.kind === 'form' && path === logoutPath)
      violations.add(`${host.origin} was asked to end the session.`)
    if (rulesPaths.includes(path)) return
    if (!seen.robotsAnswered) violations.add(`${host.origin} was asked for ${path} before its robots.txt.`)
    if (host.isClosed) violations.add(`${host.origin} was asked for ${path} although its robots.txt cannot be read.`)
    const rules = host.robotsText
    if (rules !== undefined && !mayFetch(parseRobots(rules), expected.robotsToken, `${host.origin}${path}`).allowed)
      violations.add(`${host.origin} was asked for ${path}, which its robots.txt forbids.`)
  }

  function watched(seen: Seen, connection: Connection, world: World, token: object): Connection {
    let answered = 0
    let heardBytes = 0
    let isFresh = true
    let isWaiting = false
    let path = ''
    const ended = () => {
      isWaiting = false
      seen.endedMs = elapsedMs(world)
    }
    return {
      remoteAddress: connection.remoteAddress,
      security: connection.security,
      get quiet() {
        return connection.quiet
      },
      async write(bytes) {
        path = Buffer.from(bytes).toString('latin1').split(' ')[1] ?? ''
        if (!isFresh) begin(seen, elapsedMs(world), path)
        isFresh = false
        isWaiting = true
        heardBytes = 0
        ask(seen, path)
        await connection.write(bytes)
      },
      async read(signal) {
        isWaiting = true
        const bytes = await connection.read(signal).finally(ended)
        if (bytes) heardBytes += bytes.length
        if (heardBytes > 0 && path === '/robots.txt') seen.robotsAnswered = true
        if (bytes) answered += 1
        return bytes
      },
      close() {
        if (isWaiting) ended()
        // A server may end an idle connection at the moment it is used (RFC 9112 section 9.3.1): asking once more on a new
        // one is the same request.
        if (heardBytes === 0 && answered > 0) seen.endedMs = -Infinity
        seen.open.delete(token)
        connection.close()
      },
    }
  }

  async function connect(world: World, target: Target, signal: AbortSignal | undefined): Promise<Connection> {
    const seen = hosts.get(`${target.host}:${target.port}`)
    if (!seen || signal?.aborted) return world.network.connect(target, signal)
    begin(seen, elapsedMs(world), 'a connection')
    const token = {}
    seen.open.add(token)
    // A POST has a connection of its own in addition to that of the page that needs the login.
    const connectionsMax = expected.connectionsPerHost + (seen.host.members?.kind === 'form' ? 1 : 0)
    if (seen.open.size > connectionsMax)
      violations.add(`${seen.host.origin} had ${seen.open.size} connections at once, instead of ${connectionsMax}.`)
    try {
      return watched(seen, await world.network.connect(target, signal), world, token)
    } catch (error) {
      seen.open.delete(token)
      seen.endedMs = elapsedMs(world)
      throw error
    }
  }

  return {
    over: (world) => ({ ...world, network: { connect: (target, signal) => connect(world, target, signal) } }),
    forgivePauses() {
      for (const seen of hosts.values()) seen.endedMs = -Infinity
    },
    forgetConnections() {
      for (const seen of hosts.values()) seen.open.clear()
    },
    get requests() {
      return requests
    },
    violations: () => [...violations],
  }
}

function newlySeen(host: Host): Seen {
  return { host, open: new Set(), endedMs: -Infinity, lastPath: '', robotsAnswered: false }
}

/** Whole milliseconds, as the pauses are. */
function elapsedMs({ clock }: World): number {
  return Math.floor(clock.elapsed())
}
