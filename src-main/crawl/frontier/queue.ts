/** The queue over all running jobs: the queued documents in the database, the ready buffer that is refilled from them, and
 *  the hosts being fetched. Three loops drive it, each with one task: `stuffer` refills the buffer, `feeder` gives ready
 *  documents to their jobs, `setPriority` assigns positions to documents. Fetching and settling are done in `run/`. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { alarmOf, type Alarm } from '../model/alarm.ts'
import type { HostRow } from '../model/document.ts'
import { blockedFront } from './blockedFront.ts'
import { displacing } from './displacing.ts'
import { placingIn } from './placing.ts'
import { queueMembers } from './queueMembers.ts'
import { queueStatements } from './queue.sql.ts'
import { newReadyBuffer, type ReadyDocument } from './readyBuffer.ts'
import { lowWaterOf } from './refillAmount.ts'
import { emptyRetryMs, refillRounds } from './refillRounds.ts'
import { robotsKnown } from './robotsKnown.ts'
import { serversOf, type HostTurn, type JobSlot } from './servers.ts'

/** The queue over all running jobs. */
export interface Queue {
  /** Adds a job. `start` is called with each of its documents whose turn has come. */
  join(slot: JobSlot, start: (ready: ReadyDocument) => void): void
  /** Queues the job's ready documents again and hands out no more. Turns that have begun end with `ended`. */
  leave(job: number): void
  /** Removes the documents of a stopped job from the queue and renumbers all others, step by step. */
  displace(job: number, signal: AbortSignal): Promise<void>
  /** Does the same in the `place` passes, while jobs are worked on: for a stop that a kill interrupted. */
  displaceLater(job: number): void
  /** Ends a turn. `asked`: when the request ended and how long the answer took; undefined if there was no request. */
  ended(turn: HostTurn, asked: { endedMs: number; tookMs: number } | undefined): void
  /** Sets the robots.txt state of a host once it is known. */
  setRobots(turn: HostTurn, state: HostRow['robotsState'], text: string | null): void
  /** Sends the host no request for this long, as its answer demands. */
  rest(turn: HostTurn, durationMs: number): void
  /** Reports that a document was added to the queue or became due. */
  news(): void
  /** Reports that documents of the running job have left its list. */
  documentsRemoved(job: number): void
  /** True if no job is being worked on. */
  readonly isIdle: boolean
  /** Tells whether the ready buffer has no document of the job. */
  isEmptyFor(job: number): boolean
  /** Returns the number of the job's hosts that are in their delay, and the milliseconds until the first delay ends. */
  resting(job: number): { hosts: number; afterMs: number }
  readonly alarms: { stuffer: Alarm; feeder: Alarm; setPriority: Alarm }
  /** Performs one refill if one is needed. Returns when to call again; undefined: when an alarm rings. */
  refill(): { afterMs: number | undefined }
  /** Hands out every document that may be fetched now. Returns when the next may be. */
  feed(): { afterMs: number | undefined }
  /** Assigns positions to one batch of documents. Returns when the next batch is due. */
  place(): { afterMs: number | undefined }
}

/** Most documents in the ready buffer: some megabytes. */
const readyMax = 5_000

/** Opens the queue. `onJoined` is called when a job joins: the loops that drive the queue rest while it is idle. */
export function openQueue(store: Store, world: World, onJoined: () => void): Queue {
  const { clock } = world
  const sql = queueStatements(store)
  const buffer = newReadyBuffer()
  const servers = serversOf(world, hostOf)
  const placing = placingIn(store)
  const members = queueMembers(world, servers)
  const rounds = refillRounds(world, { store, world, sql, buffer, servers }, members)
  const front = blockedFront(world, sql, members)
  const displaced = displacing(placing, sql, members)
  const alarms = { stuffer: alarmOf(world), feeder: alarmOf(world), setPriority: alarmOf(world) }
  let hasNews = false

  function hostOf(host: number): HostRow {
    const row = sql.host.get({ host })
    if (!row) throw new Error(`host ${host} of a document is missing`)
    return row
  }

  function requeue(ready: readonly ReadyDocument[], dueMs: number): void {
    if (ready.length === 0) return
    sql.putBack.run({ ids: JSON.stringify(ready.map(({ document }) => document.id)), dueMs })
    alarms.setPriority.ring()
  }

  /** Tells whether the buffer is low, or full of documents that may not be fetched yet while workers are idle. */
  function needsRefill(): boolean {
    if (buffer.count >= readyMax || members.all.size === 0) return false
    return buffer.count < lowWaterOf(members.workers()) || [...members.all.values()].some(({ slot }) => slot.mayStart())
  }

  function noteNews(): void {
    hasNews = true
    alarms.stuffer.ring()
  }

  function moveBlockedToEnd(): void {
    const blocked = front.take()
    if (blocked.length === 0) return
    store.transaction(() => {
      for (const [job, own] of Map.groupBy(blocked, ({ row }) => row.job)) {
        const slot = members.slotOf(job)
        const rows = own.map(({ row }) => row)
        if (slot) placing.moveToEnd(slot, rows)
      }
    })
    noteNews()
  }

  return {
    alarms,
    join(slot, start) {
      members.add(slot, start)
      // The priority may have changed after the documents got their positions, in an engine that was killed before it
      // assigned new ones.
      if ((sql.jobPriority.get({ job: slot.job })?.version ?? 0) > 0) displaced.add(slot.job)
      hasNews = true
      for (const alarm of Object.values(alarms)) alarm.ring()
      onJoined()
    },
    leave(job) {
      const member = members.remove(job)
      if (!member) return
      front.forget(job)
      requeue(buffer.takeBack(member.slot), 0)
    },
    displaceLater: (job) => displaced.add(job),
    async displace(job, signal) {
      if (await displaced.now(job, signal, () => clock.sleep(0))) alarms.setPriority.ring()
    },
    ended(turn, asked) {
      buffer.ended(turn, asked)
      const member = members.all.get(turn.slot.job)
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
      requeue(buffer.rest(turn.server, nowMs + durationMs, nowMs), clock.now() + durationMs)
    },
    documentsRemoved: (job) => members.slotOf(job)?.forgetKnown(),
    news() {
      alarms.setPriority.ring()
      noteNews()
    },
    get isIdle() {
      return members.all.size === 0
    },
    isEmptyFor(job) {
      const slot = members.slotOf(job)
      return !slot || buffer.countOf(slot) === 0
    },
    resting(job) {
      const slot = members.slotOf(job)
      const nowMs = clock.elapsed()
      const { hosts, nextMs } = slot ? buffer.resting(slot, nowMs) : { hosts: 0, nextMs: Infinity }
      return { hosts, afterMs: nextMs - nowMs }
    },
    refill() {
      const nowMs = clock.elapsed()
      if (!needsRefill()) return { afterMs: undefined }
      const waitMs = rounds.waitMs(nowMs, hasNews)
      if (waitMs > 0) return { afterMs: waitMs }
      members.recordPaces(nowMs)
      hasNews = false
      const refilled = rounds.run(nowMs)
      if (front.met(refilled)) alarms.setPriority.ring()
      if (refilled.taken > 0) alarms.feeder.ring()
      return { afterMs: rounds.wasFull && needsRefill() ? 0 : emptyRetryMs }
    },
    feed() {
      for (;;) {
        const nowMs = clock.elapsed()
        const next = buffer.next(nowMs)
        if ('document' in next) members.all.get(next.turn.slot.job)?.start(next)
        else {
          if (needsRefill()) alarms.stuffer.ring()
          return { afterMs: next.againMs === undefined ? undefined : next.againMs - nowMs }
        }
      }
    },
    place() {
      moveBlockedToEnd()
      displaced.followPriorities()
      displaced.step()
      const dateMs = clock.now()
      let placed = 0
      for (const { slot } of members.all.values()) placed += placing.placeNeedy(slot, dateMs)
      if (placed > 0) noteNews()
      // Postponed documents are looked for at intervals: the wall clock cannot tell how long they still wait.
      return { afterMs: displaced.isBusy ? 0 : undefined }
    },
  }
}
