/** The queue over all running jobs: what is in the database, the hands that are filled from it, and the hosts that are asked. A
 *  job joins while it is worked on and leaves when it is not. Three loops drive it and each does one thing: `stuffer` fills the
 *  hands, `feeder` gives what may go to its job, `setPriority` gives documents their places. It fetches nothing and settles
 *  nothing: that is the job's (`jobRun.ts`). */
import { strictest, type BinLimits } from '../../contract/throttle.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { alarmOf, type Alarm } from '../model/alarm.ts'
import { amountAfter, baseAmountOf, lowWaterOf } from './refillAmount.ts'
import { newPace, type Pace } from './caps.ts'
import { newHands, type Held } from './readyBuffer.ts'
import { placingIn, type Displaced } from './placing.ts'
import { queueStatements } from './queue.sql.ts'
import { robotsKnown } from './robotsKnown.ts'
import { serversOf, type HostTurn, type Seat } from './servers.ts'
import { stuff, type Stuffing } from './refill.ts'
import type { HostRow } from '../model/document.ts'

/** A job as the queue has it. */
interface Member {
  seat: Seat
  pace: Pace
  start(held: Held): void
  /** Documents that ended since the pace was last looked at. */
  ended: number
  sinceMs: number
}

export interface Queue {
  /** From now on `start` is called with each document whose turn has come. */
  join(seat: Seat, start: (held: Held) => void): void
  /** What is in the hands waits again, and no more is given out. What is under way goes on and ends with `ended`. */
  leave(job: number): void
  /** Places and counters after a stop: the job's documents have none, all others are numbered anew. In steps. */
  displace(job: number, signal: AbortSignal): Promise<void>
  /** The same step by step, while jobs are worked on: what a kill has cut short. */
  displaceLater(job: number): void
  ended(turn: HostTurn, asked: { endedMs: number; tookMs: number } | undefined): void
  setRobots(turn: HostTurn, state: HostRow['robotsState'], text: string | null): void
  /** Its host has asked to be left alone. */
  rest(turn: HostTurn, durationMs: number): void
  /** Something was added to the queue, or became due. */
  news(): void
  /** Documents of the job have left its list while it runs. */
  haveLeft(job: number): void
  /** No job is worked on. */
  readonly isIdle: boolean
  /** Whether a job has nothing in the hands. */
  isEmptyFor(job: number): boolean
  /** Hosts of the job that may not be asked yet, and after how long the first of them may. */
  resting(job: number): { hosts: number; afterMs: number }
  readonly alarms: { stuffer: Alarm; feeder: Alarm; setPriority: Alarm }
  /** One stuffing, where one is wanted. Says when to look again. */
  stuff(): { afterMs: number | undefined }
  /** Gives out what may go now. Says when the next may. */
  feed(): { afterMs: number | undefined }
  /** One batch of places. Says when the next is due. */
  place(): { afterMs: number | undefined }
}

/** Documents in the hands at the most, whatever rests: some megabytes. */
const heldMax = 5_000
/** When nothing more was to be had, the hands are looked at again after this although nobody has news. */
const lookAgainMs = 250
/** Documents that are looked through at a time for others than those that stand in the way: some milliseconds. */
const lookedThroughMax = 20_000
/** Documents placed behind without anything taken, before time has to pass: the whole queue may be in its own way. */
const placedBehindMax = 10_000
/** The pace of a job is taken over stretches of at least this. */
const paceMs = 1_000

/** `onJoined`: the loops that drive the queue rest while it is idle. */
export function openQueue(store: Store, world: World, onJoined: () => void): Queue {
  const { clock } = world
  const sql = queueStatements(store)
  const hands = newHands()
  const servers = serversOf(world, hostOf)
  const placing = placingIn(store)
  const members = new Map<number, Member>()
  const alarms = { stuffer: alarmOf(world), feeder: alarmOf(world), setPriority: alarmOf(world) }
  let amount = 0
  let last = { endMs: -Infinity, wasFull: false }
  let stuffedMs = clock.elapsed()
  let hasNews = false
  /** Met at the front and in the way of others: placed behind before anything else is placed. */
  let inTheWay: Stuffing['blocked'] = []
  /** What was placed behind since something was taken. Who meets the first of it again has seen everything that may be had
   *  now: only time helps. */
  let turnedOver: { first: number; count: number; sinceMs: number } | undefined
  /** Jobs whose documents are losing their places, and up to which document they have. */
  const displaced = new Map<number, number>()
  /** Up to where what waits of a job was of hosts that stood in the way. */
  const lookedThrough = new Map<number, number>()

  const workers = () => [...members.values()].reduce((sum, { seat }) => sum + seat.workers, 0)
  const seatOf = (job: number) => members.get(job)?.seat

  function hostOf(host: number): HostRow {
    const row = sql.host.get({ host })
    if (!row) throw new Error(`a document of host ${host}, which there is not`)
    return row
  }

  /** A rule of any running job holds for the host, whoever asks it. */
  function limitAnew(): void {
    const all = [...members.values()].map(({ seat }) => seat.limitsOf)
    servers.limitAnew((bin: string): BinLimits => strictest(all.map((limitsOf) => limitsOf(bin))))
  }

  function putBack(held: readonly Held[], dueMs: number): void {
    if (held.length === 0) return
    sql.putBack.run({ ids: JSON.stringify(held.map(({ document }) => document.id)), dueMs })
    alarms.setPriority.ring()
  }

  /** Low, or full of what may not go yet while somebody is idle. */
  function isLean(): boolean {
    if (hands.count >= heldMax || members.size === 0) return false
    return hands.count < lowWaterOf(workers()) || [...members.values()].some(({ seat }) => seat.mayStart())
  }

  function takePaces(nowMs: number): void {
    for (const member of members.values()) {
      if (nowMs - member.sinceMs < paceMs) continue
      member.pace.record(member.ended, nowMs - member.sinceMs)
      member.ended = 0
      member.sinceMs = nowMs
    }
  }

  function stuffNow(nowMs: number): Stuffing {
    const count = workers()
    amount = Math.max(amount, baseAmountOf(count))
    const intervalMs = nowMs - stuffedMs
    const drainMs = last.wasFull ? nowMs - last.endMs : undefined
    hasNews = false
    const stuffed = stuff(
      { store, world, sql, hands, servers, seats: members },
      { amount, nowMs, dateMs: clock.now(), intervalMs },
    )
    stuffedMs = nowMs
    const endMs = clock.elapsed()
    last = { endMs, wasFull: stuffed.taken >= amount }
    amount = amountAfter(amount, count, { asked: amount, taken: stuffed.taken, stuffMs: endMs - nowMs, drainMs })
    return stuffed
  }

  /** Placed behind, when somebody who could be served waits there; otherwise they keep their order. */
  function clearTheWay({ taken, blocked, wasCutShort }: Stuffing): void {
    const restsFor = ({ turn }: (typeof blocked)[number]) => turn.server.readyMs - clock.elapsed()
    const resting = blocked.filter((each) => restsFor(each) > restingMs)
    for (const each of resting) sql.setAside.run({ id: each.row.id, dueMs: clock.now() + Math.ceil(restsFor(each)) })
    if (!wasCutShort || !othersWait(blocked)) return
    const standing = blocked.filter((each) => !resting.includes(each) && each.row.role !== 'robots')
    if (standing.length === 0 || hasTurnedOver(standing, taken)) return
    inTheWay = standing
    alarms.setPriority.ring()
  }

  /** Others may wait elsewhere that cannot be had now either: without this the queue would be turned over for ever. */
  function hasTurnedOver(standing: Stuffing['blocked'], taken: number): boolean {
    const nowMs = clock.elapsed()
    if (taken > 0 || (turnedOver && nowMs >= turnedOver.sinceMs + lookAgainMs)) turnedOver = undefined
    const { first = standing[0]?.row.id ?? 0, count = 0, sinceMs = nowMs } = turnedOver ?? {}
    if (count >= placedBehindMax || (turnedOver && standing.some(({ row }) => row.id === first))) return true
    turnedOver = { first, count: count + standing.length, sinceMs }
    return false
  }

  /** As far as a stretch of what waits tells; the next look goes on behind it, where there was nobody else in it. */
  function othersWait(blocked: Stuffing['blocked']): boolean {
    const known = JSON.stringify([...new Set(blocked.map(({ row }) => row.host))])
    return [...members.keys()].some((job) => {
      const after = lookedThrough.get(job) ?? 0
      const { last, others } = sql.waitingHosts.get({ job, after, limit: lookedThroughMax, known }) ?? {}
      if ((others ?? 0) > 0) return true
      lookedThrough.set(job, last ?? 0)
      return false
    })
  }

  /** Something new may be had from the queue. */
  function hear(): void {
    hasNews = true
    alarms.stuffer.ring()
  }

  /** First of all: what stood in the way. */
  function placeBehind(): void {
    if (inTheWay.length === 0) return
    const blocked = inTheWay
    inTheWay = []
    store.transaction(() => {
      for (const [job, own] of Map.groupBy(blocked, ({ row }) => row.job)) {
        const seat = seatOf(job)
        const rows = own.map(({ row }) => row)
        if (seat) placing.placeBehind(seat, rows)
      }
    })
    hear()
  }

  /** Somebody has given a running job another priority: its documents lose their places and get new ones. */
  function followPriorities(): void {
    for (const [job, { seat }] of members) {
      const priority = sql.jobPriority.get({ job })?.priority ?? seat.priority
      if (priority === seat.priority) continue
      seat.priority = priority
      displaced.set(job, 0)
    }
  }

  /** One step of what goes on in steps. */
  function stepOn(): void {
    for (const [job, after] of displaced) {
      const { next } = placing.displace(job, after)
      if (next !== undefined) displaced.set(job, next)
      else if (displaced.delete(job)) placing.beginRenumbering()
    }
    if (placing.isRenumbering) placing.renumber(seatOf)
  }

  return {
    alarms,
    join(seat, start) {
      members.set(seat.job, { seat, pace: newPace(), start, ended: 0, sinceMs: clock.elapsed() })
      // Its priority may have been changed after it got its places, and by an engine that was killed before it gave others.
      if ((sql.jobPriority.get({ job: seat.job })?.version ?? 0) > 0) displaced.set(seat.job, 0)
      limitAnew()
      hasNews = true
      for (const alarm of Object.values(alarms)) alarm.ring()
      onJoined()
    },
    leave(job) {
      const member = members.get(job)
      if (!member) return
      members.delete(job)
      lookedThrough.delete(job)
      putBack(hands.takeBack(member.seat), 0)
      servers.forget(member.seat)
      limitAnew()
    },
    displaceLater: (job) => void displaced.set(job, 0),
    async displace(job, signal) {
      let changed = 0
      for (let after: number | undefined = 0; after !== undefined && !signal.aborted;) {
        const step: Displaced = placing.displace(job, after)
        changed += step.changed
        after = step.next
        // The workers of other jobs come in between.
        if (after !== undefined) await clock.sleep(0)
      }
      if (changed === 0) return
      placing.beginRenumbering()
      alarms.setPriority.ring()
    },
    ended(turn, asked) {
      hands.ended(turn, asked)
      const member = members.get(turn.seat.job)
      if (member) member.ended += 1
      alarms.feeder.ring()
    },
    setRobots(turn, state, text) {
      hands.setRobots(turn, robotsKnown(state, text, turn.seat.robotsToken))
      hasNews = true
      alarms.feeder.ring()
    },
    rest(turn, durationMs) {
      const nowMs = clock.elapsed()
      putBack(hands.rest(turn.server, nowMs + durationMs, nowMs), clock.now() + durationMs)
    },
    haveLeft: (job) => seatOf(job)?.forgetFound(),
    news() {
      hasNews = true
      alarms.setPriority.ring()
      alarms.stuffer.ring()
    },
    get isIdle() {
      return members.size === 0
    },
    isEmptyFor(job) {
      const seat = seatOf(job)
      return !seat || hands.countOf(seat) === 0
    },
    resting(job) {
      const seat = seatOf(job)
      const nowMs = clock.elapsed()
      const { hosts, nextMs } = seat ? hands.resting(seat, nowMs) : { hosts: 0, nextMs: Infinity }
      return { hosts, afterMs: nextMs - nowMs }
    },
    stuff() {
      const nowMs = clock.elapsed()
      if (!isLean()) return { afterMs: undefined }
      // What gave less than was wanted gives nothing new without news, or time for a host's pause to pass.
      const isTooSoon = !last.wasFull && !hasNews && nowMs < last.endMs + lookAgainMs
      if (isTooSoon) return { afterMs: last.endMs + lookAgainMs - nowMs }
      takePaces(nowMs)
      const stuffed = stuffNow(nowMs)
      clearTheWay(stuffed)
      if (stuffed.taken > 0) alarms.feeder.ring()
      return { afterMs: last.wasFull && isLean() ? 0 : lookAgainMs }
    },
    feed() {
      for (;;) {
        const nowMs = clock.elapsed()
        const next = hands.next(nowMs)
        if ('document' in next) members.get(next.turn.seat.job)?.start(next)
        else {
          if (isLean()) alarms.stuffer.ring()
          return { afterMs: next.againMs === undefined ? undefined : next.againMs - nowMs }
        }
      }
    },
    place() {
      placeBehind()
      followPriorities()
      stepOn()
      const dateMs = clock.now()
      let placed = 0
      for (const { seat } of members.values()) placed += placing.placeNeedy(seat, dateMs)
      if (placed > 0) hear()
      // What waits for its time is looked for at intervals: the wall clock does not say how long that will be.
      return { afterMs: placing.isRenumbering || displaced.size > 0 ? 0 : undefined }
    },
  }
}

/** A host that rests for longer than this is left out of the queue until then. */
const restingMs = 10_000
