/** The passes of the three loops that drive the queue: `stuffer` refills the ready buffer, `feeder` hands out documents, and
 *  `setPriority` assigns positions. Each returns when it is due again. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { Alarm } from '../model/alarm.ts'
import type { BlockedFront } from './blockedFront.ts'
import type { Displacing } from './displacing.ts'
import type { Placing } from './placing.ts'
import type { Members } from './queueMembers.ts'
import type { ReadyBuffer } from './readyBuffer.ts'
import { lowWaterOf } from './refillAmount.ts'
import { emptyRetryMs, type RefillRounds } from './refillRounds.ts'

/** Alarms that wake the loops before their time. */
export interface QueueAlarms {
  stuffer: Alarm
  feeder: Alarm
  setPriority: Alarm
}

/** Milliseconds until the next pass; undefined: when an alarm rings. */
export interface NextPass {
  afterMs: number | undefined
}

/** The refilling of the ready buffer. */
export interface Refilling {
  /** Tells whether the buffer is low, or full of documents that may not be fetched yet while workers are idle. */
  needsRefill(): boolean
  /** Reports that the next refill may find documents that the last one did not. */
  noteChange(): void
  /** Reports the same, and wakes the loop. */
  noteNews(): void
  /** Performs one refill if one is needed. */
  pass(): NextPass
}

interface RefillingParts {
  clock: World['clock']
  buffer: Pick<ReadyBuffer, 'count'>
  members: Pick<Members, 'all' | 'workers' | 'recordPaces'>
  rounds: RefillRounds
  front: Pick<BlockedFront, 'met'>
  alarms: QueueAlarms
}

/** Most documents in the ready buffer: some megabytes. */
const readyMax = 5_000

/** Opens the refilling. */
export function refillingOf({ clock, buffer, members, rounds, front, alarms }: RefillingParts): Refilling {
  let hasNews = false

  function needsRefill(): boolean {
    if (buffer.count >= readyMax || members.all.size === 0) return false
    return buffer.count < lowWaterOf(members.workers()) || [...members.all.values()].some(({ slot }) => slot.mayStart())
  }

  return {
    needsRefill,
    noteChange: () => void (hasNews = true),
    noteNews() {
      hasNews = true
      alarms.stuffer.ring()
    },
    pass() {
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
  }
}

interface FeederParts {
  clock: World['clock']
  buffer: Pick<ReadyBuffer, 'next'>
  members: Pick<Members, 'all'>
  refilling: Pick<Refilling, 'needsRefill'>
  alarms: Pick<QueueAlarms, 'stuffer'>
}

/** Returns the pass that hands out every document that may be fetched now. */
export function feederPass({ clock, buffer, members, refilling, alarms }: FeederParts): () => NextPass {
  return () => {
    for (;;) {
      const nowMs = clock.elapsed()
      const next = buffer.next(nowMs)
      if ('document' in next) members.all.get(next.turn.slot.job)?.start(next)
      else {
        if (refilling.needsRefill()) alarms.stuffer.ring()
        return { afterMs: next.againMs === undefined ? undefined : next.againMs - nowMs }
      }
    }
  }
}

interface PlacingParts {
  store: Store
  clock: World['clock']
  placing: Placing
  displaced: Displacing
  front: Pick<BlockedFront, 'take'>
  members: Pick<Members, 'all' | 'slotOf'>
  refilling: Pick<Refilling, 'noteNews'>
}

/** Returns the pass that assigns positions to one batch of documents. */
export function placingPass(parts: PlacingParts): () => NextPass {
  const { clock, placing, displaced, members, refilling } = parts
  return () => {
    if (moveBlockedToEnd(parts)) refilling.noteNews()
    displaced.followPriorities()
    displaced.step()
    const dateMs = clock.now()
    let placed = 0
    for (const { slot } of members.all.values()) placed += slot.placeNext?.() ?? placing.placeNeedy(slot, dateMs)
    if (placed > 0) refilling.noteNews()
    // Postponed documents are looked for at intervals: the wall clock cannot tell how long they still wait.
    return { afterMs: displaced.isBusy ? 0 : undefined }
  }
}

/** Moves the documents that block the front of the queue to its end. Returns false if there are none. */
function moveBlockedToEnd({ store, placing, front, members }: PlacingParts): boolean {
  const blocked = front.take()
  if (blocked.length === 0) return false
  store.transaction(() => {
    for (const [job, own] of Map.groupBy(blocked, ({ row }) => row.job)) {
      const slot = members.slotOf(job)
      const rows = own.map(({ row }) => row)
      if (slot) placing.moveToEnd(slot, rows)
    }
  })
  return true
}
