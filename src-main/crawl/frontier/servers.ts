/** Hosts and their politeness. A host is a host name, for any scheme, port and job: several jobs share its connections and its
 *  delay. Documents are not here (see `readyBuffer.ts`). */
import { unlimited, type BinLimits } from '../../contract/shapes/throttle.ts'
import type { HostRow } from '../model/document.ts'
import { bandwidthOf, type Bandwidth } from './bandwidth.ts'
import { pauseMsAfter, type DelayTerms } from './hostDelay.ts'
import { robotsKnown, type RobotsKnown } from './robotsKnown.ts'
import type { World } from '../../world/world.ts'

/** A running job as the queue sees it: its workers, its politeness and its limits. */
export interface JobSlot extends DelayTerms {
  job: number
  /** 1 (highest) to 10; a user may change it during the run. */
  priority: number
  workers: number
  connectionsPerHost: number
  robots: 'obey' | 'ignore'
  /** The name that robots.txt knows us by. */
  robotsToken: string
  /** Until this time an interrupted earlier stretch may have asked any host; −Infinity when there was none. */
  askedUntilMs: number
  /** The bins that a document is counted and throttled by; the first one is the host that is owed politeness. */
  binsOf: (url: string) => readonly string[]
  /** What the job's throttle rules come to for a bin. */
  limitsOf: (bin: string) => BinLimits
  /** Whether one more of its documents may be begun now. */
  mayStart(): boolean
  /** Forgets the known URLs, since documents have left the list. */
  forgetKnown(): void
  /** Whether the rules and budgets that users set during the run let this origin be asked. `refused`: the document is handed out
   *  to be skipped. */
  hostStatus(origin: string): 'go' | 'wait' | 'refused'
}

export interface Server {
  readonly name: string
  inFlight: number
  /** The host may not be asked before this time of `clock.elapsed`, which a change of the system clock does not move. */
  readyMs: number
  endedMs: number
  limits: BinLimits
  /** Documents of each job that are ready or in flight on this host. */
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

/** Hosts and origins kept although they have no documents. Those dropped had no delay left. */
const rememberedMax = 10_000

export interface Servers {
  /** `url`: of a document of this host. */
  turnOf(slot: JobSlot, host: number, url: string): HostTurn
  /** Applies the throttle rules of all running jobs; a rule limits the host for every job. */
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
