/** The documents that were taken out of the queue and are not begun yet, of all running jobs. Workers are fed from here in the
 *  order that the politeness towards hosts allows: connections and a pause for each host name, robots.txt before anything
 *  else. What is in the hands is ACTIVE in the database; whoever takes something back writes that down. It fetches nothing. */
import type { DocumentToFetch } from '../model/document.ts'
import { connectionsOf, pauseMs, waitsForRobots, type HostTurn, type JobSlot, type Server } from './servers.ts'

export interface ReadyDocument {
  turn: HostTurn
  document: DocumentToFetch
}

export interface ReadyBuffer {
  readonly count: number
  countOf(slot: JobSlot): number
  /** How many more documents of this origin the hands want: as many as its host can be asked for soon. */
  roomFor(turn: HostTurn, nowMs: number): number
  put(ready: ReadyDocument): void
  /** The next document that may be fetched now, or when to ask again (undefined: only news can change that). */
  next(nowMs: number): ReadyDocument | { againMs: number | undefined }
  /** A turn of this host has ended: by a request that was over at `endedMs`, or without one. */
  ended(turn: HostTurn, asked: { endedMs: number; tookMs: number } | undefined): void
  setRobots(turn: HostTurn, robots: HostTurn['robots']): void
  /** The host is left alone until then. What is given back is no longer in the hands: it would only be in the way. */
  rest(server: Server, untilMs: number, nowMs: number): ReadyDocument[]
  /** Everything of this job that is not begun; it is no longer in the hands. */
  takeBack(slot: JobSlot): ReadyDocument[]
  /** Hosts of this job that have something in the hands and may not be asked yet, and when the first of them may. */
  resting(slot: JobSlot, nowMs: number): { hosts: number; nextMs: number }
}

/** A host in its pause is given documents for this long ahead: longer than a stuffing is ever late. */
const lookAheadMs = 2_000
/** Pages that wait in the hands for the rules of their host: enough to go on as soon as they are known. */
const stockBeforeRobots = 2

export function newReadyBuffer(): ReadyBuffer {
  /** Hosts that hold something, in the order in which they are asked; who was served goes to the end. */
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
  // What is left out anyhow waits for no rules.
  return hostStatus === 'refused' || (hostStatus === 'go' && (document.role === 'robots' || !waitsForRobots(turn)))
}

/** The pause of whoever asked last holds for everybody, and whoever asks next keeps at least his own. */
function readyMs({ turn: { server, slot } }: ReadyDocument): number {
  return Math.max(server.readyMs, server.endedMs + slot.delayMs)
}

function stockOf(turn: HostTurn): number {
  if (waitsForRobots(turn)) return stockBeforeRobots
  const eachMs = Math.max(pauseMs(turn), 1 / turn.server.limits.fetchesPerMs)
  return eachMs === 0 ? Infinity : connectionsOf(turn.server) + Math.ceil(lookAheadMs / eachMs)
}
