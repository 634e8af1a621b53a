/** The queue over all running jobs: the queued documents in the database, the ready buffer that is refilled from them, and
 *  the hosts being fetched. Three loops drive it, each with one task: `stuffer` refills the buffer, `feeder` gives ready
 *  documents to their jobs, `setPriority` assigns positions to documents. Fetching and settling are done in `run/`. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { alarmOf } from '../model/alarm.ts'
import type { HostRow } from '../model/document.ts'
import { blockedFront } from './blockedFront.ts'
import { displacing } from './displacing.ts'
import { placingIn } from './placing.ts'
import { queueMembers, type Members } from './queueMembers.ts'
import { feederPass, placingPass, refillingOf, type NextPass, type QueueAlarms } from './queuePasses.ts'
import { queueStatements, type QueueStatements } from './queue.sql.ts'
import { newReadyBuffer, type ReadyBuffer } from './readyBuffer.ts'
import type { ReadyDocument } from './readyDocuments.ts'
import { refillRounds } from './refillRounds.ts'
import { originRobots } from './originRobots.ts'
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
  /** Gives a document to its job again whose answer has not come; false if its host may not be asked now. */
  again(ready: ReadyDocument): boolean
  /** Ends a turn. `asked`: when the request ended and how long the answer took; undefined if there was no request. */
  ended(turn: HostTurn, asked: { endedMs: number; tookMs: number } | undefined): void
  /** Sets the robots.txt state of a host once it is known. */
  setRobots(turn: HostTurn, state: HostRow['robotsState'], text: string | null): void
  /** Does the same for a host of a job, after a result of an earlier segment was committed. */
  setRobotsOf(job: number, host: number, robots: Pick<HostRow, 'robotsState' | 'robotsText'>): void
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
  readonly alarms: QueueAlarms
  /** Performs one refill if one is needed. */
  refill(): NextPass
  /** Hands out every document that may be fetched now. Returns when the next may be. */
  feed(): NextPass
  /** Assigns positions to one batch of documents. Returns when the next batch is due. */
  place(): NextPass
}

/** Opens the queue. `onJoined` is called when a job joins: the loops that drive the queue rest while it is idle. */
export function openQueue(store: Store, world: World, onJoined: () => void): Queue {
  const { clock } = world
  const sql = queueStatements(store)
  const alarms = { stuffer: alarmOf(world), feeder: alarmOf(world), setPriority: alarmOf(world) }
  const buffer = newReadyBuffer()
  const servers = serversOf(world, hostRows(sql))
  const members = queueMembers(world, servers)
  const placing = placingIn(store)
  const displaced = displacing(placing, sql, members)
  const front = blockedFront(world, sql, members)
  const rounds = refillRounds(world, { store, world, sql, buffer, servers }, members)
  const refilling = refillingOf({ clock, buffer, members, rounds, front, alarms })
  const requeue = requeuer(sql, alarms)

  function setRobots(turn: HostTurn, state: HostRow['robotsState'], text: string | null): void {
    buffer.setRobots(turn, originRobots(state, text, turn.slot.robotsToken))
    refilling.noteChange()
    alarms.feeder.ring()
  }

  return {
    alarms,
    join(slot, start) {
      members.add(slot, start)
      // The priority may have changed after the documents got their positions, in an engine that was killed before it
      // assigned new ones.
      if ((sql.jobPriority.get({ job: slot.job })?.version ?? 0) > 0) displaced.add(slot.job)
      refilling.noteChange()
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
    again(ready) {
      const member = members.all.get(ready.turn.slot.job)
      if (!member || !buffer.beginAgain(ready.turn, clock.elapsed())) return false
      member.start(ready)
      return true
    },
    ended(turn, asked) {
      buffer.ended(turn, asked)
      const member = members.all.get(turn.slot.job)
      if (member) member.ended += 1
      alarms.feeder.ring()
    },
    setRobots,
    setRobotsOf(job, host, { robotsState, robotsText }) {
      const slot = members.slotOf(job)
      const turn = slot && servers.rememberedTurn(slot, host)
      if (turn) setRobots(turn, robotsState, robotsText)
    },
    rest(turn, durationMs) {
      const nowMs = clock.elapsed()
      requeue(buffer.rest(turn.server, nowMs + durationMs, nowMs), clock.now() + durationMs)
    },
    documentsRemoved: (job) => members.slotOf(job)?.forgetKnown(),
    news() {
      alarms.setPriority.ring()
      refilling.noteNews()
    },
    get isIdle() {
      return members.all.size === 0
    },
    ...queueReports(clock, buffer, members),
    refill: refilling.pass,
    feed: feederPass({ clock, buffer, members, refilling, alarms }),
    place: placingPass({ store, clock, placing, displaced, front, members, refilling }),
  }
}

/** Returns a function that reads the row of a host. */
function hostRows(sql: Pick<QueueStatements, 'host'>): (host: number) => HostRow {
  return (host) => {
    const row = sql.host.get({ host })
    if (!row) throw new Error(`host ${host} of a document is missing`)
    return row
  }
}

/** Returns a function that queues ready documents again, due at `dueMs` of the wall clock. */
function requeuer(sql: Pick<QueueStatements, 'putBack'>, alarms: Pick<QueueAlarms, 'setPriority'>) {
  return (ready: readonly ReadyDocument[], dueMs: number): void => {
    if (ready.length === 0) return
    sql.putBack.run({ ids: JSON.stringify(ready.map(({ document }) => document.id)), dueMs })
    alarms.setPriority.ring()
  }
}

/** Returns the questions about the ready documents of one job. */
function queueReports(
  clock: World['clock'],
  buffer: Pick<ReadyBuffer, 'countOf' | 'resting'>,
  members: Pick<Members, 'slotOf'>,
): Pick<Queue, 'isEmptyFor' | 'resting'> {
  return {
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
  }
}
