/** The documents that were taken out of the queue and are not begun yet, of all running jobs. Workers are fed from here in the
 *  order that the politeness towards hosts allows: connections and a pause for each host name, robots.txt before anything
 *  else. What is in the hands is ACTIVE in the database; whoever takes something back writes that down. It fetches nothing. */
import type { DocumentToFetch } from '../model/document.ts'
import { connectionsOf, pauseMs, waitsForRobots, type HostTurn, type Seat, type Server } from './servers.ts'

export interface Held {
  turn: HostTurn
  document: DocumentToFetch
}

export interface Hands {
  readonly count: number
  countOf(seat: Seat): number
  /** How many more documents of this origin the hands want: as many as its host can be asked for soon. */
  roomFor(turn: HostTurn, nowMs: number): number
  put(held: Held): void
  /** The next document that may be fetched now, or when to ask again (undefined: only news can change that). */
  next(nowMs: number): Held | { againMs: number | undefined }
  /** A turn of this host has ended: by a request that was over at `endedMs`, or without one. */
  ended(turn: HostTurn, asked: { endedMs: number; tookMs: number } | undefined): void
  setRobots(turn: HostTurn, robots: HostTurn['robots']): void
  /** The host is left alone until then. What is given back is no longer in the hands: it would only be in the way. */
  rest(server: Server, untilMs: number, nowMs: number): Held[]
  /** Everything of this job that is not begun; it is no longer in the hands. */
  takeBack(seat: Seat): Held[]
  /** Hosts of this job that have something in the hands and may not be asked yet, and when the first of them may. */
  resting(seat: Seat, nowMs: number): { hosts: number; nextMs: number }
}

/** A host in its pause is given documents for this long ahead: longer than a stuffing is ever late. */
const lookAheadMs = 2_000
/** Pages that wait in the hands for the rules of their host: enough to go on as soon as they are known. */
const stockBeforeRobots = 2

export function newHands(): Hands {
  /** Hosts that hold something, in the order in which they are asked; who was served goes to the end. */
  const waiting = new Map<Server, Held[]>()
  const counts = new Map<Seat, number>()
  let count = 0

  function changeCount(seat: Seat, change: number): void {
    count += change
    counts.set(seat, (counts.get(seat) ?? 0) + change)
  }

  function leave({ server, seat }: HostTurn): void {
    const left = (server.seats.get(seat) ?? 1) - 1
    if (left > 0) server.seats.set(seat, left)
    else server.seats.delete(seat)
  }

  function removeHeld(server: Server, isMeant: (held: Held) => boolean): Held[] {
    const all = waiting.get(server) ?? []
    const removed = all.filter(isMeant)
    const kept = all.filter((held) => !isMeant(held))
    if (kept.length > 0) waiting.set(server, kept)
    else waiting.delete(server)
    for (const { turn } of removed) {
      changeCount(turn.seat, -1)
      leave(turn)
    }
    return removed
  }

  function take(server: Server, held: Held[], at: number, nowMs: number): Held | undefined {
    const [taken] = held.splice(at, 1)
    if (!taken) return undefined
    waiting.delete(server)
    if (held.length > 0) waiting.set(server, held)
    changeCount(taken.turn.seat, -1)
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
    countOf: (seat) => counts.get(seat) ?? 0,
    roomFor(turn, nowMs) {
      const { server } = turn
      if (server.readyMs - nowMs > lookAheadMs) return 0
      const held = waiting.get(server)?.length ?? 0
      return Math.max(0, stockOf(turn) - held)
    },
    put(held) {
      const { turn, document } = held
      const { server, seat } = turn
      const before = waiting.get(server)
      if (!before) waiting.set(server, [held])
      else if (document.role === 'robots') before.unshift(held)
      else before.push(held)
      server.seats.set(seat, (server.seats.get(seat) ?? 0) + 1)
      changeCount(seat, 1)
    },
    next(nowMs) {
      let againMs: number | undefined
      for (const [server, held] of waiting) {
        if (server.inFlight >= connectionsOf(server)) continue
        const at = held.findIndex(mayGo)
        const first = held[at]
        if (!first) continue
        const readyAt = readyMs(first)
        if (readyAt <= nowMs) return take(server, held, at, nowMs) ?? { againMs }
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
      return server.readyMs - nowMs > lookAheadMs ? removeHeld(server, () => true) : []
    },
    takeBack(seat) {
      const removed = [...waiting.keys()].flatMap((server) => removeHeld(server, ({ turn }) => turn.seat === seat))
      counts.delete(seat)
      return removed
    },
    resting(seat, nowMs) {
      const ready = [...waiting.values()].flatMap((held) => {
        const first = held.find(({ turn }) => turn.seat === seat)
        return first && readyMs(first) > nowMs ? [readyMs(first)] : []
      })
      return { hosts: ready.length, nextMs: Math.min(...ready) }
    },
  }
}

function mayGo({ turn, document }: Held): boolean {
  if (!turn.seat.mayStart()) return false
  const standing = turn.seat.standing(turn.origin)
  // What is left out anyhow waits for no rules.
  return standing === 'refused' || (standing === 'go' && (document.role === 'robots' || !waitsForRobots(turn)))
}

/** The pause of whoever asked last holds for everybody, and whoever asks next keeps at least his own. */
function readyMs({ turn: { server, seat } }: Held): number {
  return Math.max(server.readyMs, server.endedMs + seat.delayMs)
}

function stockOf(turn: HostTurn): number {
  if (waitsForRobots(turn)) return stockBeforeRobots
  const eachMs = Math.max(pauseMs(turn), 1 / turn.server.limits.fetchesPerMs)
  return eachMs === 0 ? Infinity : connectionsOf(turn.server) + Math.ceil(lookAheadMs / eachMs)
}
