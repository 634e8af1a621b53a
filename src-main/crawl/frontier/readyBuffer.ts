/** Documents of all running jobs that were claimed and have not begun. Workers get them in the order that politeness allows:
 *  connections and a delay per host name, robots.txt before anything else. They are ACTIVE in the database; a caller that
 *  takes one back records that. */
import type { DocumentToFetch } from '../model/document.ts'
import { connectionsOf, pauseMs, waitsForRobots, type HostTurn, type JobSlot, type Server } from './servers.ts'

/** A claimed document with the turn of its host. */
export interface ReadyDocument {
  turn: HostTurn
  document: DocumentToFetch
}

/** The ready buffer. */
export interface ReadyBuffer {
  readonly count: number
  countOf(slot: JobSlot): number
  /** Returns how many more documents of this origin the buffer has room for: as many as its host can serve soon. */
  roomFor(turn: HostTurn, nowMs: number): number
  put(ready: ReadyDocument): void
  /** Takes the next document that may be fetched now, or returns when to ask again (undefined: only an event can change that). */
  next(nowMs: number): ReadyDocument | { againMs: number | undefined }
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

export function newReadyBuffer(): ReadyBuffer {
  /** Hosts with ready documents, in the order in which they are served; a host that was served goes to the end. */
  const waiting = new Map<Server, ReadyDocument[]>()
  const counts = new Map<JobSlot, number>()
  let count = 0

  function changeCount(slot: JobSlot, change: number): void {
    count += change
    counts.set(slot, (counts.get(slot) ?? 0) + change)
  }

  function leave({ server, slot }: HostTurn): void {
    const left = (server.slots.get(slot) ?? 1) - 1
    if (left > 0) server.slots.set(slot, left)
    else server.slots.delete(slot)
  }

  function removeReady(server: Server, matches: (ready: ReadyDocument) => boolean): ReadyDocument[] {
    const all = waiting.get(server) ?? []
    const removed = all.filter(matches)
    const kept = all.filter((ready) => !matches(ready))
    if (kept.length > 0) waiting.set(server, kept)
    else waiting.delete(server)
    for (const { turn } of removed) {
      changeCount(turn.slot, -1)
      leave(turn)
    }
    return removed
  }

  function take(server: Server, ready: ReadyDocument[], at: number, nowMs: number): ReadyDocument | undefined {
    const [taken] = ready.splice(at, 1)
    if (!taken) return undefined
    waiting.delete(server)
    if (ready.length > 0) waiting.set(server, ready)
    changeCount(taken.turn.slot, -1)
    server.inFlight += 1
    const { fetchesPerMs } = server.limits
    // A rate counts from start to start, a pause from the end.
    if (fetchesPerMs !== Infinity) server.readyMs = Math.max(server.readyMs, nowMs + 1 / fetchesPerMs)
    return taken
  }

  return {
    get count() {
      return count
    },
    countOf: (slot) => counts.get(slot) ?? 0,
    roomFor(turn, nowMs) {
      const { server } = turn
      if (server.readyMs - nowMs > lookAheadMs) return 0
      const ready = waiting.get(server)?.length ?? 0
      return Math.max(0, stockOf(turn) - ready)
    },
    put(ready) {
      const { turn, document } = ready
      const { server, slot } = turn
      const before = waiting.get(server)
      if (!before) waiting.set(server, [ready])
      else if (document.role === 'robots') before.unshift(ready)
      else before.push(ready)
      server.slots.set(slot, (server.slots.get(slot) ?? 0) + 1)
      changeCount(slot, 1)
    },
    next(nowMs) {
      let againMs: number | undefined
      for (const [server, ready] of waiting) {
        if (server.inFlight >= connectionsOf(server)) continue
        const at = ready.findIndex(canFetchNow)
        const first = ready[at]
        if (!first) continue
        const readyAt = readyMs(first)
        if (readyAt <= nowMs) return take(server, ready, at, nowMs) ?? { againMs }
        againMs = Math.min(againMs ?? Infinity, readyAt)
      }
      return { againMs }
    },
    ended(turn, asked) {
      const { server } = turn
      server.inFlight -= 1
      leave(turn)
      if (!asked) return
      server.endedMs = Math.max(server.endedMs, asked.endedMs)
      server.readyMs = Math.max(server.readyMs, asked.endedMs + pauseMs(turn, asked.tookMs))
    },
    setRobots(turn, robots) {
      turn.robots = robots
    },
    rest(server, untilMs, nowMs) {
      server.readyMs = Math.max(server.readyMs, untilMs)
      return server.readyMs - nowMs > lookAheadMs ? removeReady(server, () => true) : []
    },
    takeBack(slot) {
      const removed = [...waiting.keys()].flatMap((server) => removeReady(server, ({ turn }) => turn.slot === slot))
      counts.delete(slot)
      return removed
    },
    resting(slot, nowMs) {
      const ready = [...waiting.values()].flatMap((ready) => {
        const first = ready.find(({ turn }) => turn.slot === slot)
        return first && readyMs(first) > nowMs ? [readyMs(first)] : []
      })
      return { hosts: ready.length, nextMs: Math.min(...ready) }
    },
  }
}

function canFetchNow({ turn, document }: ReadyDocument): boolean {
  if (!turn.slot.mayStart()) return false
  const hostStatus = turn.slot.hostStatus(turn.origin)
  // A document that will be skipped anyway does not wait for robots.txt.
  return hostStatus === 'refused' || (hostStatus === 'go' && (document.role === 'robots' || !waitsForRobots(turn)))
}

/** Returns when a document may be fetched. The delay after the last request applies to all jobs, and each job keeps at least
 *  its own. */
function readyMs({ turn: { server, slot } }: ReadyDocument): number {
  return Math.max(server.readyMs, server.endedMs + slot.delayMs)
}

function stockOf(turn: HostTurn): number {
  if (waitsForRobots(turn)) return stockBeforeRobots
  const eachMs = Math.max(pauseMs(turn), 1 / turn.server.limits.fetchesPerMs)
  return eachMs === 0 ? Infinity : connectionsOf(turn.server) + Math.ceil(lookAheadMs / eachMs)
}
