/** Measures durations without the wall clock, which may be set at any time, in either direction. */
import type { Clock } from './world.ts'

/** Begins to count. The returned function gives the whole milliseconds since then and never decreases. */
export function stopwatch(clock: Pick<Clock, 'elapsed'>): () => number {
  const beganMs = clock.elapsed()
  return () => Math.round(clock.elapsed() - beganMs)
}

/** Does the same for limits that must not pass while the machine is suspended, where the monotonic clock may continue (see
 *  `real.ts`): between two calls at most `gapMsMax` counts. The returned function must therefore be called more often than
 *  that. */
export function awakeStopwatch(clock: Pick<Clock, 'elapsed'>, gapMsMax: number): () => number {
  let [lastMs, countedMs] = [clock.elapsed(), 0]
  return () => {
    const nowMs = clock.elapsed()
    countedMs += Math.min(nowMs - lastMs, gapMsMax)
    lastMs = nowMs
    return countedMs
  }
}
