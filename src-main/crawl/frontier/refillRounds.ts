/** Successive refills of the ready buffer: how many documents each asks for, and when the next is worth its query. */
import type { World } from '../../world/world.ts'
import type { Members } from './queueMembers.ts'
import { refill, type Refill, type RefillSetting } from './refill.ts'
import { amountAfter, baseAmountOf } from './refillAmount.ts'

/** Wait after a refill that found less than it asked for, unless a document was added to the queue: by then the delay of a
 *  host may have passed. */
export const emptyRetryMs = 250

/** The refills of the queue. */
export interface RefillRounds {
  /** True if the last refill got all that it asked for. */
  readonly wasFull: boolean
  /** Milliseconds until a refill may find something; 0: now. */
  waitMs(nowMs: number, hasNews: boolean): number
  run(nowMs: number): Refill
}

/** Opens the refills. The amount of each adapts to how fast the workers empty the buffer (`refillAmount.ts`). */
export function refillRounds(
  { clock }: Pick<World, 'clock'>,
  setting: Omit<RefillSetting, 'slots'>,
  members: Pick<Members, 'all' | 'workers'>,
): RefillRounds {
  let amount = 0
  let last = { endMs: -Infinity, wasFull: false }
  let refilledMs = clock.elapsed()
  return {
    get wasFull() {
      return last.wasFull
    },
    waitMs(nowMs, hasNews) {
      return last.wasFull || hasNews ? 0 : Math.max(0, last.endMs + emptyRetryMs - nowMs)
    },
    run(nowMs) {
      const workers = members.workers()
      amount = Math.max(amount, baseAmountOf(workers))
      const intervalMs = nowMs - refilledMs
      const drainMs = last.wasFull ? nowMs - last.endMs : undefined
      const moment = { amount, nowMs, dateMs: clock.now(), intervalMs }
      const refilled = refill({ ...setting, slots: members.all }, moment)
      refilledMs = nowMs
      const endMs = clock.elapsed()
      last = { endMs, wasFull: refilled.taken >= amount }
      amount = amountAfter(amount, workers, {
        ...{ asked: amount, taken: refilled.taken, drainMs },
        refillMs: endMs - nowMs,
      })
      return refilled
    },
  }
}
