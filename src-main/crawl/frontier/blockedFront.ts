/** Handles documents at the front of the queue that cannot be fetched now because their host is in its delay or their job has
 *  used its share. If documents that could be fetched wait after them, they move to the end, so that a slow host never stops
 *  the rest. */
import type { World } from '../../world/world.ts'
import type { Members } from './queueMembers.ts'
import type { QueueStatements } from './queue.sql.ts'
import type { Refill } from './refill.ts'
import { emptyRetryMs } from './refillRounds.ts'

type Blocked = Refill['blocked']

/** The blocked documents at the front. */
export interface BlockedFront {
  /** Decides what to do with the documents that a refill found blocked. Returns true if `take` has documents to move. */
  met(refilled: Refill): boolean
  /** Returns the documents to move to the end of the queue, each once. */
  take(): Blocked
  forget(job: number): void
}

/** A document whose host is in a delay longer than this leaves the front of the queue until the delay has passed. */
const longDelayMs = 10_000
/** Most queued documents to scan at a time for hosts other than the blocked ones: some milliseconds. */
const scannedMax = 20_000
/** Most documents to move to the end without any taken, before time has to pass: the whole queue may be blocked. */
const rotatedMax = 10_000

/** Opens the handling of blocked documents. */
export function blockedFront(
  { clock }: Pick<World, 'clock'>,
  sql: Pick<QueueStatements, 'setAside' | 'waitingHosts'>,
  members: Pick<Members, 'all'>,
): BlockedFront {
  let toMove: Blocked = []
  /** Documents moved since one was last taken. When the first of them is found again, the whole queue was examined, and nothing
   *  can be taken until a delay ends. */
  let rotation: { first: number; count: number; sinceMs: number } | undefined
  /** For each job: up to this id, all queued documents were of blocked hosts. */
  const scannedUpTo = new Map<number, number>()

  const delayLeftMs = ({ turn }: Blocked[number]) => turn.server.readyMs - clock.elapsed()

  /** Tells whether documents of other hosts wait. Examines one batch of the queue at a time; the next call continues after
   *  it. */
  function haveOthersWaiting(blocked: Blocked): boolean {
    const known = JSON.stringify([...new Set(blocked.map(({ row }) => row.host))])
    return [...members.all.keys()].some((job) => {
      const after = scannedUpTo.get(job) ?? 0
      const { last, others } = sql.waitingHosts.get({ job, after, limit: scannedMax, known }) ?? {}
      if ((others ?? 0) > 0) return true
      scannedUpTo.set(job, last ?? 0)
      return false
    })
  }

  /** Tells whether the whole queue was moved without success. The documents that follow may be blocked as well: without this
   *  check the queue would rotate for ever. */
  function hasRotated(blocked: Blocked, taken: number): boolean {
    const nowMs = clock.elapsed()
    if (taken > 0 || (rotation && nowMs >= rotation.sinceMs + emptyRetryMs)) rotation = undefined
    const { first = blocked[0]?.row.id ?? 0, count = 0, sinceMs = nowMs } = rotation ?? {}
    if (count >= rotatedMax || (rotation && blocked.some(({ row }) => row.id === first))) return true
    rotation = { first, count: count + blocked.length, sinceMs }
    return false
  }

  return {
    met({ taken, blocked, wasCutShort }) {
      const delayed = blocked.filter((each) => delayLeftMs(each) > longDelayMs)
      for (const each of delayed)
        sql.setAside.run({ id: each.row.id, dueMs: clock.now() + Math.ceil(delayLeftMs(each)) })
      if (!wasCutShort || !haveOthersWaiting(blocked)) return false
      const movable = blocked.filter((each) => !delayed.includes(each) && each.row.role !== 'robots')
      if (movable.length === 0 || hasRotated(movable, taken)) return false
      toMove = movable
      return true
    },
    take() {
      const taken = toMove
      toMove = []
      return taken
    },
    forget: (job) => void scannedUpTo.delete(job),
  }
}
