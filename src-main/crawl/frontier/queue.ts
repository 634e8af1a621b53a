/** The queue over all running jobs: what is in the database, the hands that are filled from it, and the hosts that are asked. A
 *  job joins while it is worked on and leaves when it is not. Three loops drive it and each does one thing: `stuffer` fills the
 *  hands, `feeder` gives what may go to its job, `setPriority` gives documents their places. It fetches nothing and settles
 *  nothing: that is the job's (`jobRun.ts`). */
import { strictest, type BinLimits } from '../../contract/shapes/throttle.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { alarmOf, type Alarm } from '../model/alarm.ts'
import { amountAfter, baseAmountOf, lowWaterOf } from './refillAmount.ts'
import { newPace, type Pace } from './caps.ts'
import { newReadyBuffer, type ReadyDocument } from './readyBuffer.ts'
import { placingIn, type Displaced } from './placing.ts'
import { queueStatements } from './queue.sql.ts'
import { robotsKnown } from './robotsKnown.ts'
import { serversOf, type HostTurn, type JobSlot } from './servers.ts'
import { refill, type Refill } from './refill.ts'
import type { HostRow } from '../model/document.ts'

/** A job as the queue has it. */
interface Member {
  slot: JobSlot
  pace: Pace
  start(ready: ReadyDocument): void
  /** Documents that ended since the pace was last looked at. */
  ended: number
  sinceMs: number
}

export interface Queue {
  /** From now on `start` is called with each document whose turn has come. */
  join(slot: JobSlot, start: (ready: ReadyDocument) => void): void
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
  documentsRemoved(job: number): void
  /** No job is worked on. */
  readonly isIdle: boolean
  /** Whether a job has nothing in the hands. */
  isEmptyFor(job: number): boolean
  /** Hosts of the job that may not be asked yet, and after how long the first of them may. */
  resting(job: number): { hosts: number; afterMs: number }
  readonly alarms: { stuffer: Alarm; feeder: Alarm; setPriority: Alarm }
  /** One stuffing, where one is wanted. Says when to look again. */
  refill(): { afterMs: number | undefined }
  /** Gives out what may go now. Says when the next may. */
  feed(): { afterMs: number | undefined }
  /** One batch of places. Says when the next is due. */
  place(): { afterMs: number | undefined }
}

/** Documents in the hands at the most, whatever rests: some megabytes. */
const readyMax = 5_000
/** When nothing more was to be had, the hands are looked at again after this although nobody has news. */
const emptyRetryMs = 250
/** Documents that are looked through at a time for others than those that stand in the way: some milliseconds. */
const scannedMax = 20_000
/** Documents placed behind without anything taken, before time has to pass: the whole queue may be in its own way. */
const rotatedMax = 10_000
/** The pace of a job is taken over stretches of at least this. */
const paceMs = 1_000

/** `onJoined`: the loops that drive the queue rest while it is idle. */
export function openQueue(store: Store, world: World, onJoined: () => void): Queue {
  const { clock } = world
  const sql = queueStatements(store)
  const buffer = newReadyBuffer()
  const servers = serversOf(world, hostOf)
  const placing = placingIn(store)
  const members = new Map<number, Member>()
  const alarms = { stuffer: alarmOf(world), feeder: alarmOf(world), setPriority: alarmOf(world) }
  let amount = 0
  let last = { endMs: -Infinity, wasFull: false }
  let refilledMs = clock.elapsed()
  let hasNews = false
  /** Met at the front and in the way of others: placed behind before anything else is placed. */
  let blockedRows: Refill['blocked'] = []
  /** What was placed behind since something was taken. Who meets the first of it again has seen everything that may be had
   *  now: only time helps. */
  let rotation: { first: number; count: number; sinceMs: number } | undefined
  /** Jobs whose documents are losing their places, and up to which document they have. */
  const displaced = new Map<number, number>()
  /** Up to where what waits of a job was of hosts that stood in the way. */
  const scannedUpTo = new Map<number, number>()

  const workers = () => [...members.values()].reduce((sum, { slot }) => sum + slot.workers, 0)
  const slotOf = (job: number) => members.get(job)?.slot

  function hostOf(host: number): HostRow {
    const row = sql.host.get({ host })
    if (!row) throw new Error(`a document of host ${host}, which there is not`)
    return row
  }

  /** A rule of any running job holds for the host, whoever asks it. */
  function applyLimits(): void {
    const all = [...members.values()].map(({ slot }) => slot.limitsOf)
    servers.applyLimits((bin: string): BinLimits => strictest(all.map((limitsOf) => limitsOf(bin))))
  }

  function putBack(ready: readonly ReadyDocument[], dueMs: number): void {
    if (ready.length === 0) return
    sql.putBack.run({ ids: JSON.stringify(ready.map(({ document }) => document.id)), dueMs })
    alarms.setPriority.ring()
  }

  /** Low, or full of what may not go yet while somebody is idle. */
  function needsRefill(): boolean {
    if (buffer.count >= readyMax || members.size === 0) return false
    return buffer.count < lowWaterOf(workers()) || [...members.values()].some(({ slot }) => slot.mayStart())
  }

  function takePaces(nowMs: number): void {
    for (const member of members.values()) {
      if (nowMs - member.sinceMs < paceMs) continue
      member.pace.record(member.ended, nowMs - member.sinceMs)
      member.ended = 0
      member.sinceMs = nowMs
    }
  }

  function refillNow(nowMs: number): Refill {
    const count = workers()
    amount = Math.max(amount, baseAmountOf(count))
    const intervalMs = nowMs - refilledMs
    const drainMs = last.wasFull ? nowMs - last.endMs : undefined
    hasNews = false
    const refilled = refill(
      { store, world, sql, buffer, servers, slots: members },
      { amount, nowMs, dateMs: clock.now(), intervalMs },
    )
    refilledMs = nowMs
    const endMs = clock.elapsed()
    last = { endMs, wasFull: refilled.taken >= amount }
    amount = amountAfter(amount, count, { asked: amount, taken: refilled.taken, refillMs: endMs - nowMs, drainMs })
    return refilled
  }

  /** Placed behind, when somebody who could be served waits there; otherwise they keep their order. */
  function handleBlocked({ taken, blocked, wasCutShort }: Refill): void {
    const delayLeftMs = ({ turn }: (typeof blocked)[number]) => turn.server.readyMs - clock.elapsed()
    const resting = blocked.filter((each) => delayLeftMs(each) > longDelayMs)
    for (const each of resting) sql.setAside.run({ id: each.row.id, dueMs: clock.now() + Math.ceil(delayLeftMs(each)) })
    if (!wasCutShort || !haveOthersWaiting(blocked)) return
    const standing = blocked.filter((each) => !resting.includes(each) && each.row.role !== 'robots')
    if (standing.length === 0 || hasRotated(standing, taken)) return
    blockedRows = standing
    alarms.setPriority.ring()
  }

  /** Others may wait elsewhere that cannot be had now either: without this the queue would be turned over for ever. */
  function hasRotated(standing: Refill['blocked'], taken: number): boolean {
    const nowMs = clock.elapsed()
    if (taken > 0 || (rotation && nowMs >= rotation.sinceMs + emptyRetryMs)) rotation = undefined
    const { first = standing[0]?.row.id ?? 0, count = 0, sinceMs = nowMs } = rotation ?? {}
    if (count >= rotatedMax || (rotation && standing.some(({ row }) => row.id === first))) return true
    rotation = { first, count: count + standing.length, sinceMs }
    return false
  }

  /** As far as a stretch of what waits tells; the next look goes on behind it, where there was nobody else in it. */
  function haveOthersWaiting(blocked: Refill['blocked']): boolean {
    const known = JSON.stringify([...new Set(blocked.map(({ row }) => row.host))])
    return [...members.keys()].some((job) => {
      const after = scannedUpTo.get(job) ?? 0
      const { last, others } = sql.waitingHosts.get({ job, after, limit: scannedMax, known }) ?? {}
      if ((others ?? 0) > 0) return true
      scannedUpTo.set(job, last ?? 0)
      return false
    })
  }

  /** Something new may be had from the queue. */
  function noteNews(): void {
    hasNews = true
    alarms.stuffer.ring()
  }

  /** First of all: what stood in the way. */
  function moveToEnd(): void {
    if (blockedRows.length === 0) return
    const blocked = blockedRows
    blockedRows = []
    store.transaction(() => {
      for (const [job, own] of Map.groupBy(blocked, ({ row }) => row.job)) {
        const slot = slotOf(job)
        const rows = own.map(({ row }) => row)
        if (slot) placing.moveToEnd(slot, rows)
      }
    })
    noteNews()
  }

  /** Somebody has given a running job another priority: its documents lose their places and get new ones. */
  function followPriorities(): void {
    for (const [job, { slot }] of members) {
      const priority = sql.jobPriority.get({ job })?.priority ?? slot.priority
      if (priority === slot.priority) continue
      slot.priority = priority
      displaced.set(job, 0)
    }
  }

  /** One step of what goes on in steps. */
  function takeStep(): void {
    for (const [job, after] of displaced) {
      const { next } = placing.displace(job, after)
      if (next !== undefined) displaced.set(job, next)
      else if (displaced.delete(job)) placing.beginRenumbering()
    }
    if (placing.isRenumbering) placing.renumber(slotOf)
  }

  return {
    alarms,
    join(slot, start) {
      members.set(slot.job, { slot, pace: newPace(), start, ended: 0, sinceMs: clock.elapsed() })
      // Its priority may have been changed after it got its places, and by an engine that was killed before it gave others.
      if ((sql.jobPriority.get({ job: slot.job })?.version ?? 0) > 0) displaced.set(slot.job, 0)
      applyLimits()
      hasNews = true
      for (const alarm of Object.values(alarms)) alarm.ring()
      onJoined()
    },
    leave(job) {
      const member = members.get(job)
      if (!member) return
      members.delete(job)
      scannedUpTo.delete(job)
      putBack(buffer.takeBack(member.slot), 0)
      servers.forget(member.slot)
      applyLimits()
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
      buffer.ended(turn, asked)
      const member = members.get(turn.slot.job)
      if (member) member.ended += 1
      alarms.feeder.ring()
    },
    setRobots(turn, state, text) {
      buffer.setRobots(turn, robotsKnown(state, text, turn.slot.robotsToken))
      hasNews = true
      alarms.feeder.ring()
    },
    rest(turn, durationMs) {
      const nowMs = clock.elapsed()
      putBack(buffer.rest(turn.server, nowMs + durationMs, nowMs), clock.now() + durationMs)
    },
    documentsRemoved: (job) => slotOf(job)?.forgetKnown(),
    news() {
      hasNews = true
      alarms.setPriority.ring()
      alarms.stuffer.ring()
    },
    get isIdle() {
      return members.size === 0
    },
    isEmptyFor(job) {
      const slot = slotOf(job)
      return !slot || buffer.countOf(slot) === 0
    },
    resting(job) {
      const slot = slotOf(job)
      const nowMs = clock.elapsed()
      const { hosts, nextMs } = slot ? buffer.resting(slot, nowMs) : { hosts: 0, nextMs: Infinity }
      return { hosts, afterMs: nextMs - nowMs }
    },
    refill() {
      const nowMs = clock.elapsed()
      if (!needsRefill()) return { afterMs: undefined }
      // What gave less than was wanted gives nothing new without news, or time for a host's pause to pass.
      const isTooSoon = !last.wasFull && !hasNews && nowMs < last.endMs + emptyRetryMs
      if (isTooSoon) return { afterMs: last.endMs + emptyRetryMs - nowMs }
      takePaces(nowMs)
      const refilled = refillNow(nowMs)
      handleBlocked(refilled)
      if (refilled.taken > 0) alarms.feeder.ring()
      return { afterMs: last.wasFull && needsRefill() ? 0 : emptyRetryMs }
    },
    feed() {
      for (;;) {
        const nowMs = clock.elapsed()
        const next = buffer.next(nowMs)
        if ('document' in next) members.get(next.turn.slot.job)?.start(next)
        else {
          if (needsRefill()) alarms.stuffer.ring()
          return { afterMs: next.againMs === undefined ? undefined : next.againMs - nowMs }
        }
      }
    },
    place() {
      moveToEnd()
      followPriorities()
      takeStep()
      const dateMs = clock.now()
      let placed = 0
      for (const { slot } of members.values()) placed += placing.placeNeedy(slot, dateMs)
      if (placed > 0) noteNews()
      // What waits for its time is looked for at intervals: the wall clock does not say how long that will be.
      return { afterMs: placing.isRenumbering || displaced.size > 0 ? 0 : undefined }
    },
  }
}

/** A host that rests for longer than this is left out of the queue until then. */
const longDelayMs = 10_000
