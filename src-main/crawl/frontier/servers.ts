/** Whoever is asked politely: a host name, whatever scheme and port it is asked under and whichever jobs ask. Several jobs on
 *  one host share its connections and its pause. It holds no documents (see `hands.ts`). */
import { unlimited, type BinLimits } from '../../contract/shapes/throttle.ts'
import type { HostRow } from '../model/document.ts'
import { bandwidthOf, type Bandwidth } from './bandwidth.ts'
import { pauseMsAfter, type DelayTerms } from './hostDelay.ts'
import { robotsKnown, type RobotsKnown } from './robotsKnown.ts'
import type { World } from '../../world/world.ts'

/** One running job as its turns see it. */
export interface JobSlot extends DelayTerms {
  job: number
  /** 1 is the most urgent; somebody may change it. */
  priority: number
  workers: number
  connectionsPerHost: number
  robots: 'obey' | 'ignore'
  /** The name that robots.txt knows us by. */
  robotsToken: string
  /** Up to when a run that was cut short may have asked any host; −Infinity when there was none. */
  askedUntilMs: number
  /** What a document is counted and throttled by; the first is whose politeness it is owed. */
  binsOf: (url: string) => readonly string[]
  /** What the job's throttle rules come to for a bin. */
  limitsOf: (bin: string) => BinLimits
  /** Whether one more of its documents may be begun now. */
  mayStart(): boolean
  /** Documents have left its list: what is remembered of those that were found holds no more. */
  forgetKnown(): void
  /** Whether what people bounded while it runs lets this origin be asked; what is `refused` is handed out to be left out. */
  hostStatus(origin: string): 'go' | 'wait' | 'refused'
}

export interface Server {
  readonly name: string
  inFlight: number
  /** Not before this moment. Moments are those of `clock.elapsed`: a pause does not end because somebody sets the clock. */
  readyMs: number
  endedMs: number
  limits: BinLimits
  /** How many documents, in the hands or under way, each job has here. */
  readonly slots: Map<JobSlot, number>
  /** Present where a rule bounds the bytes a second. */
  bandwidth: Bandwidth | undefined
}

/** One origin as one job sees it: its rules are its own (RFC 9309 section 2.3), its politeness is that of its host name. */
export interface HostTurn {
  readonly id: number
  readonly origin: string
  readonly slot: JobSlot
  readonly server: Server
  robots: RobotsKnown
}

/** Hosts and origins that are remembered although nothing is under way with them. What is forgotten had no pause left. */
const rememberedMax = 10_000

export interface Servers {
  /** `url`: of a document of this host. */
  turnOf(slot: JobSlot, host: number, url: string): HostTurn
  /** The rules of the running jobs have changed: they hold for a host whoever asks it. */
  applyLimits(limitsOf: (bin: string) => BinLimits): void
  limitsOf(bin: string): BinLimits
  forget(slot: JobSlot): void
}

/** `rowOf` is asked once for each host that is met, since its rules may be long. */
export function serversOf({ clock }: Pick<World, 'clock'>, rowOf: (host: number) => HostRow): Servers {
  const servers = new Map<string, Server>()
  const turns = new Map<number, HostTurn>()
  let limitsNow: (bin: string) => BinLimits = () => unlimited

  function serverOf(name: string): Server {
    const known = servers.get(name)
    if (known) return known
    if (servers.size >= rememberedMax) sweep()
    const limits = limitsNow(name)
    const server: Server = {
      ...{ name, limits, inFlight: 0, readyMs: -Infinity, endedMs: -Infinity },
      slots: new Map(),
      bandwidth: bandwidthFor(limits),
    }
    servers.set(name, server)
    return server
  }

  function bandwidthFor({ bytesPerMs }: BinLimits): Bandwidth | undefined {
    return bytesPerMs === Infinity ? undefined : bandwidthOf({ clock }, bytesPerMs)
  }

  function sweep(): void {
    const nowMs = clock.elapsed()
    for (const [name, { slots, readyMs }] of servers) if (slots.size === 0 && readyMs <= nowMs) servers.delete(name)
    for (const [id, { server }] of turns) if (servers.get(server.name) !== server) turns.delete(id)
  }

  return {
    turnOf(slot, host, url) {
      const known = turns.get(host)
      if (known?.slot === slot) return known
      const server = serverOf(slot.binsOf(url)[0] ?? '')
      const { id, origin, robotsState, robotsText } = rowOf(host)
      const turn = { id, origin, slot, server, robots: robotsKnown(robotsState, robotsText, slot.robotsToken) }
      turns.set(id, turn)
      server.readyMs = Math.max(server.readyMs, slot.askedUntilMs + pauseMs(turn))
      return turn
    },
    applyLimits(limitsOf) {
      limitsNow = limitsOf
      for (const server of servers.values()) {
        server.limits = limitsOf(server.name)
        server.bandwidth = bandwidthFor(server.limits)
      }
    },
    limitsOf: (bin) => limitsNow(bin),
    forget(slot) {
      for (const [id, turn] of turns) if (turn.slot === slot) turns.delete(id)
    },
  }
}

/** The pause that this origin is owed after an answer that took `tookMs`. */
export function pauseMs({ slot, robots }: HostTurn, tookMs = 0): number {
  return pauseMsAfter(slot, { tookMs, crawlDelayMs: robots.kind === 'rules' ? robots.crawlDelayMs : 0 })
}

/** The strictest of the jobs that have something there, and of the rules. */
export function connectionsOf({ slots, limits }: Server): number {
  let least = limits.connections
  for (const { connectionsPerHost } of slots.keys()) least = Math.min(least, connectionsPerHost)
  return least
}

/** Until the rules are known only robots.txt itself may be asked for. */
export function waitsForRobots({ slot, robots }: HostTurn): boolean {
  return slot.robots === 'obey' && robots.kind === 'unknown'
}
