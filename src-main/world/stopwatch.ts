/** How long something takes. It does not use the wall clock, which may be set at any time, in either direction. */
import type { Clock } from './world.ts'

/** Begins to count. What it returns gives the whole milliseconds since then, never fewer than before. */
export function stopwatch(clock: Pick<Clock, 'elapsed'>): () => number {
  const beganMs = clock.elapsed()
  return () => Math.round(clock.elapsed() - beganMs)
}

/** The same for limits that must not pass while the machine is suspended, where the monotonic clock goes on meanwhile (see
 *  `real.ts`): between two calls no more than `gapMsMax` counts. So it has to be asked more often than that. */
export function awakeStopwatch(clock: Pick<Clock, 'elapsed'>, gapMsMax: number): () => number {
  let [lastMs, countedMs] = [clock.elapsed(), 0]
  return () => {
    const nowMs = clock.elapsed()
    countedMs += Math.min(nowMs - lastMs, gapMsMax)
    lastMs = nowMs
    return countedMs
  }
}
