/** Documents of all running jobs that were claimed and have not begun. Workers get them in the order that politeness allows:
 *  connections and a delay per host name, robots.txt before anything else. They are ACTIVE in the database; a caller that
 *  takes one back records that. */
import { readyDocuments, type ReadyDocument } from './readyDocuments.ts'
import { connectionsOf, pauseMs, waitsForRobots, type HostTurn, type JobSlot, type Server } from './servers.ts'

/** The ready buffer. */
export interface ReadyBuffer {
  readonly count: number
  countOf(slot: JobSlot): number
  /** Returns how many more documents of this origin the buffer has room for: as many as its host can serve soon. */
  roomFor(turn: HostTurn, nowMs: number): number
  put(ready: ReadyDocument): void
  /** Takes the next document that may be fetched now, or returns when to ask again (undefined: only an event can change that). */
  next(nowMs: number): ReadyDocument | { againMs: number | undefined }
  /** Begins another turn of this host, for a document that was taken before; false if its host may not be asked now. */
  beginAgain(turn: HostTurn, nowMs: number): boolean
  /** Records that a turn of this host has ended, with a request that ended at `endedMs`, or without one. */
  ended(turn: HostTurn, asked: { endedMs: number; tookMs: number } | undefined): void
  setRobots(turn: HostTurn, robots: HostTurn['robots']): void
  /** Sends the host no request until then. The returned documents have left the buffer, where they would only take up room. */
  rest(server: Server, untilMs: number, nowMs: number): ReadyDocument[]
  /** Removes all documents of this job that have not begun, and returns them. */
  takeBack(slot: JobSlot): ReadyDocument[]
  /** Counts the hosts of this job with documents in the buffer that are in their delay, and returns when the first delay ends. */
  resting(slot: JobSlot, nowMs: number): { hosts: number; nextMs: number }
}

/** The buffer is filled this far ahead for a host in its delay: longer than a refill is ever late. */
const lookAheadMs = 2_000
/** Pages kept ready while robots.txt of their host is fetched: enough to continue as soon as the rules are known. */
const stockBeforeRobots = 2

/** Opens an empty buffer. Times are those of the monotonic clock, in milliseconds. */
export function newReadyBuffer(): ReadyBuffer {
  const documents = readyDocuments()
  return {
    get count() {
      return documents.count
    },
    countOf: documents.countOf,
    roomFor(turn, nowMs) {
      const { server } = turn
      if (server.readyMs - nowMs > lookAheadMs) return 0
      return Math.max(0, stockOf(turn) - documents.of(server).length)
    },
    put: documents.put,
    next(nowMs) {
      let againMs: number | undefined
      for (const [server, ready] of documents.hosts()) {
        if (server.inFlight >= connectionsOf(server)) continue
        const at = ready.findIndex(canFetchNow)
        const first = ready[at]
        if (!first) continue
        const readyAt = readyMs(first.turn)
        if (readyAt > nowMs) againMs = Math.min(againMs ?? Infinity, readyAt)
        else if (documents.take(server, at)) {
          countStart(first.turn, nowMs)
          return first
        }
      }
      return { againMs }
    },
    beginAgain(turn, nowMs) {
      const { server } = turn
      if (server.inFlight >= connectionsOf(server) || readyMs(turn) > nowMs) return false
      documents.join(turn)
      countStart(turn, nowMs)
      return true
    },
    ended(turn, asked) {
      const { server } = turn
      server.inFlight -= 1
      turn.slot.connection?.end()
      documents.leave(turn)
      if (!asked) return
      server.endedMs = Math.max(server.endedMs, asked.endedMs)
      server.readyMs = Math.max(server.readyMs, asked.endedMs + pauseMs(turn, asked.tookMs))
    },
    setRobots(turn, robots) {
      turn.robots = robots
    },
    rest(server, untilMs, nowMs) {
      server.readyMs = Math.max(server.readyMs, untilMs)
      return server.readyMs - nowMs > lookAheadMs ? documents.remove(server, () => true) : []
    },
    takeBack(slot) {
      const servers = Array.from(documents.hosts(), ([server]) => server)
      const removed = servers.flatMap((server) => documents.remove(server, ({ turn }) => turn.slot === slot))
      documents.forget(slot)
      return removed
    },
    resting(slot, nowMs) {
      const times = Array.from(documents.hosts(), ([, ready]) => ready.find(({ turn }) => turn.slot === slot))
        .flatMap((first) => (first ? [readyMs(first.turn)] : []))
        .filter((atMs) => atMs > nowMs)
      return { hosts: times.length, nextMs: Math.min(...times) }
    },
  }
}

/** Counts a request that begins now. A rate applies from start to start, a delay from the end. */
function countStart({ server, slot }: HostTurn, nowMs: number): void {
  server.inFlight += 1
  slot.connection?.begin()
  const { fetchesPerMs } = server.limits
  if (fetchesPerMs !== Infinity) server.readyMs = Math.max(server.readyMs, nowMs + 1 / fetchesPerMs)
}

/** Tells whether a document may begin as soon as the delay of its host has passed. */
function canFetchNow({ turn, document }: ReadyDocument): boolean {
  if (!turn.slot.mayStart()) return false
  const hostStatus = turn.slot.hostStatus(turn.origin, document.id)
  // A document that will be skipped anyway does not wait for robots.txt.
  return hostStatus === 'refused' || (hostStatus === 'go' && (document.role === 'robots' || !waitsForRobots(turn)))
}

/** Returns when a document may be fetched. The delay after the last request applies to all jobs, and each job keeps at least
 *  its own. */
function readyMs({ server, slot }: HostTurn): number {
  return Math.max(server.readyMs, server.endedMs + slot.delayMs)
}

/** Returns how many documents of a host are kept ready: as many as it can serve in the time that is looked ahead. */
function stockOf(turn: HostTurn): number {
  if (waitsForRobots(turn)) return stockBeforeRobots
  const eachMs = Math.max(pauseMs(turn), 1 / turn.server.limits.fetchesPerMs)
  return eachMs === 0 ? Infinity : connectionsOf(turn.server) + Math.ceil(lookAheadMs / eachMs)
}
