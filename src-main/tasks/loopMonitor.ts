/** Notes when loops run, how long, and why one failed. It costs two readings of the clock per pass. */
import type { LoopState } from '../contract/services/monitoring.ts'
import type { Message } from '../contract/words/message.ts'
import type { Clock } from '../world/world.ts'

/** The loops of one thread. */
export interface LoopMonitor {
  /** Returns a function to be called at the end of the pass, with why it failed. */
  pass(name: string): (problem?: Message) => void
  /** In the order of their first pass. */
  list(): LoopState[]
}

export function loopMonitor(clock: Clock): LoopMonitor {
  const states = new Map<string, LoopState>()
  return {
    pass(name) {
      const before = states.get(name)
      const beganMs = clock.elapsed()
      const state: LoopState = {
        ...(before ?? { passes: 0, failures: 0, lastMs: null, problem: null }),
        ...{ name, isRunning: true, began: new Date(clock.now()).toISOString() },
      }
      states.set(name, state)
      return (problem) => {
        state.isRunning = false
        state.passes += 1
        state.lastMs = clock.elapsed() - beganMs
        state.problem = problem ?? null
        if (problem !== undefined) state.failures += 1
      }
    },
    list: () => [...states.values()].map((state) => ({ ...state })),
  }
}
