/** A wait that ends at a given time or when it is rung, whichever comes first. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { World } from '../../world/world.ts'

/** Reason with which a wait is cut short. A new one for each would cost more than the wait: it takes a stack trace. */
const cutShort = new Error('the alarm was rung')

/** An alarm with one waiter. */
export interface Alarm {
  ring(): void
  /** Resolves after `durationMs` at the latest (Infinity: only when rung), and at once if it was rung since the last wait. */
  wait(durationMs: number): Promise<void>
}

/** Returns an alarm that has not been rung. */
export function alarmOf(world: World): Alarm {
  let rung = false
  let wake: (() => void) | undefined

  async function orSlept(promise: Promise<void>, durationMs: number): Promise<void> {
    const awake = new AbortController()
    await Promise.race([promise, sleepUnlessAborted(world.clock, Math.max(1, durationMs), awake.signal)])
    awake.abort(cutShort)
  }

  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(durationMs) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await (durationMs === Infinity ? promise : orSlept(promise, durationMs))
        wake = undefined
      }
      rung = false
    },
  }
}
