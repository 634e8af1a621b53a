/** Hosts and their politeness. A host is a host name, for any scheme, port and job: several jobs share its connections and
 *  its delay. Documents are in `readyBuffer.ts`. */
import { unlimited, type BinLimits } from '../../contract/shapes/throttle.ts'
import type { HostRow } from '../model/document.ts'
import { bandwidthOf, type Bandwidth } from './bandwidth.ts'
import type { ConnectionUse } from './connectionUse.ts'
import { pauseMsAfter, type DelayTerms } from './hostDelay.ts'
import { originRobots, type OriginRobots } from './originRobots.ts'
import type { World } from '../../world/world.ts'

/** A running job as the queue sees it: its workers, its politeness and its limits. */
export interface JobSlot extends DelayTerms {
  job: number
  /** 1 (highest) to 10; a user may change it during the run. */
  priority: number
  workers: number
  connectionsPerHost: number
  robots: 'obey' | 'ignore'
  /** The name by which robots.txt addresses the crawler. */
  robotsToken: string
  /** Until this time an interrupted earlier segment may have contacted any host; −Infinity if there was none. */
  askedUntilMs: number
  /** Returns the bins by which a document is counted and throttled; the first is the host to which politeness applies. */
  binsOf: (url: string) => readonly string[]
  /** Returns the limits that the job's throttle rules give a bin. */
  limitsOf: (bin: string) => BinLimits
  /** The named connection that its documents use while they are fetched; absent: none. `mayStart` keeps its bound. */
  connection?: ConnectionUse
  /** Present if the job gives its documents places one by one: puts those into the queue that may be fetched now, and returns how many. */
  placeNext?(): number
  /** Tells whether one more of the job's documents may begin now. */
  mayStart(): boolean
  /** Forgets the known URLs, since documents have left the list. */
  forgetKnown(): void
  /** Tells whether the rules and budgets that users set during the run allow a request for the document to this origin. `refused`: the
   *  document is handed out to be skipped. */
  hostStatus(origin: string, document: number): 'go' | 'wait' | 'refused'
}

/** A host and the state of its politeness. */
export interface Server {
  readonly name: string
  inFlight: number
  /** The host gets no request before this time of `clock.elapsed`, which a change of the system clock does not move. */
  readyMs: number
  endedMs: number
  limits: BinLimits
  /** Number of documents of each job that are ready or in flight on this host. */
  readonly slots: Map<JobSlot, number>
  /** Present if a rule limits the bytes per second. */
  bandwidth: Bandwidth | undefined
}

/** One origin for one job: robots.txt applies to the origin (RFC 9309 section 2.3), politeness to its host name. */
export interface HostTurn {
  readonly id: number
  readonly origin: string
  readonly slot: JobSlot
  readonly server: Server
  robots: OriginRobots
}

/** Most hosts and origins to keep when they have no documents. Those dropped had no delay left. */
const rememberedMax = 10_000

/** All hosts of the running jobs. */
export interface Servers {
  /** Returns the turn of a host; `url` is the URL of one of its documents. */
  turnOf(slot: JobSlot, host: number, url: string): HostTurn
  /** Returns the turn of a host if it is remembered. */
  rememberedTurn(slot: JobSlot, host: number): HostTurn | undefined
  /** Applies the throttle rules of all running jobs; a rule limits the host for every job. */
  applyLimits(limitsOf: (bin: string) => BinLimits): void
  limitsOf(bin: string): BinLimits
  forget(slot: JobSlot): void
}

/** Opens the hosts. `rowOf` is called once for each host, since its robots.txt may be long. */
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
      const turn = { id, origin, slot, server, robots: originRobots(robotsState, robotsText, slot.robotsToken) }
      turns.set(id, turn)
      server.readyMs = Math.max(server.readyMs, slot.askedUntilMs + pauseMs(turn))
      return turn
    },
    rememberedTurn(slot, host) {
      const turn = turns.get(host)
      return turn?.slot === slot ? turn : undefined
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

/** Returns the delay of this origin after an answer that took `tookMs`. */
export function pauseMs({ slot, robots }: HostTurn, tookMs = 0): number {
  return pauseMsAfter(slot, { tookMs, crawlDelayMs: robots.kind === 'rules' ? robots.crawlDelayMs : 0 })
}

/** Returns the allowed number of connections: the least that the throttle rules and the jobs with documents on the host allow. */
export function connectionsOf({ slots, limits }: Server): number {
  let least = limits.connections
  for (const { connectionsPerHost } of slots.keys()) least = Math.min(least, connectionsPerHost)
  return least
}

/** Tells whether only robots.txt itself may be fetched, because the rules are not known yet. */
export function waitsForRobots({ slot, robots }: HostTurn): boolean {
  return slot.robots === 'obey' && robots.kind === 'unknown'
}
