/** The history cleanup loop: what is too old, or too much, leaves the history, a step in each pass. */
import { historyCleanup } from '../history/cleanup.ts'
import type { Engine, Loop } from './engine.ts'

/** Often enough that the bound on rows is one, however fast a harvest adds them; each step takes some milliseconds. */
const cleanupEveryMs = 1_000

export function historyCleanupLoop({ store, settings, world }: Engine): Loop {
  const step = historyCleanup(store)
  return {
    name: 'historyCleanup',
    everyMs: cleanupEveryMs,
    pass: () => void step(settings, world.clock.now()),
  }
}
