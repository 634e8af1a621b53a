/** A time limit: its signal says when the time is over; work that is done earlier ends it, and no timer is left. What the
 *  machine is suspended for does not count: nothing goes on meanwhile. */
import { awakeStopwatch } from '../../world/stopwatch.ts'
import type { Clock } from '../../world/world.ts'

export interface Deadline {
  signal: AbortSignal
  end(): Promise<void>
}

/** So often is looked how much time has passed, and so much of a suspend may count: little of the limits that are this long. */
const lookMs = 10_000

export function deadline(clock: Clock, limitMs: number): Deadline {
  const over = new AbortController()
  const done = new AbortController()
  const awakeMs = awakeStopwatch(clock, 2 * lookMs)

  async function wait(): Promise<void> {
    for (let leftMs = limitMs; leftMs > 0; leftMs = limitMs - awakeMs()) {
      await clock.sleep(Math.min(leftMs, lookMs), done.signal).catch(() => undefined) // only its end cuts it short
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
