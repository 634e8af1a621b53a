/** A time limit. Its signal is aborted when the time is over; `end` releases the timer of work that finishes earlier. Time during
 *  which the machine is suspended does not count. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { awakeStopwatch } from '../../world/stopwatch.ts'
import type { Clock } from '../../world/world.ts'

export interface Deadline {
  signal: AbortSignal
  end(): Promise<void>
}

/** Interval in milliseconds at which the elapsed time is checked, and an upper bound for the suspended time that may count: small
 *  compared with the limits. */
const checkEveryMs = 10_000

/** Starts a time limit of `limitMs` milliseconds. */
export function deadline(clock: Clock, limitMs: number): Deadline {
  const over = new AbortController()
  const done = new AbortController()
  const awakeMs = awakeStopwatch(clock, 2 * checkEveryMs)

  async function wait(): Promise<void> {
    for (let leftMs = limitMs; leftMs > 0; leftMs = limitMs - awakeMs()) {
      await sleepUnlessAborted(clock, Math.min(leftMs, checkEveryMs), done.signal)
      if (done.signal.aborted) return
    }
    over.abort()
  }
  const timer = wait()
  return {
    signal: over.signal,
    async end() {
      done.abort()
      await timer
    },
  }
}
