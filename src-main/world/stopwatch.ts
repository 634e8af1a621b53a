/** How long something takes. The wall clock is not asked: somebody may set it meanwhile, in either direction. */
import type { Clock } from './world.ts'

/** Begins to count. What it returns gives the whole milliseconds since then, never fewer than before. */
export function stopwatch(clock: Pick<Clock, 'elapsed'>): () => number {
  const beganMs = clock.elapsed()
  return () => Math.round(clock.elapsed() - beganMs)
}
