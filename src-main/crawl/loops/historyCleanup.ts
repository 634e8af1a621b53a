/** The history cleanup loop: removes history rows that are too old or too many, one step in each pass. */
import { historyCleanup } from '../history/cleanup.ts'
import type { Engine, Loop } from './engine.ts'

/** Interval of the passes: short enough to keep the number of rows bounded, however fast a harvest adds them. Each step takes
 *  some milliseconds. */
const cleanupEveryMs = 1_000

export function historyCleanupLoop({ store, settings, world }: Engine): Loop {
  const step = historyCleanup(store)
  return {
    name: 'historyCleanup',
    everyMs: cleanupEveryMs,
    pass: () => void step(settings, world.clock.now()),
  }
}
