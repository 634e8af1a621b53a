/** A time limit: its signal says when the time is over; whoever is done before ends it, and no timer is left behind. */
import type { Clock } from '../world/world.ts'

export interface Deadline {
  signal: AbortSignal
  end(): Promise<void>
}

export function deadline(clock: Clock, limitMs: number): Deadline {
  const over = new AbortController()
  const done = new AbortController()
  const timer = clock.sleep(limitMs, done.signal).then(
    () => over.abort(),
    () => undefined,
  )
  return {
    signal: over.signal,
    async end() {
      done.abort()
      await timer
    },
  }
}
