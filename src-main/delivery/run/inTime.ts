/** Runs steps within their time. One timer looks after all of them: a timer and an abort per step cost more than most steps. */
import { message } from '../../contract/words/message.ts'
import type { Clock } from '../../world/world.ts'
import { StepFault } from '../model/steps.ts'

/** Runs `act` with a signal that is aborted after `timeoutMs`, and up to `lookMs` later. Rejects then with `StepFault`, whatever `act` does
 *  about the signal: what it returns later is not used. */
export type InTime = <Result>(
  timeoutMs: number,
  act: (signal: AbortSignal) => Promise<Result> | Result,
) => Promise<Result>

interface Running {
  dueMs: number
  timeoutMs: number
  limit: AbortController
}

/** How often the time of the running steps is looked at. */
const lookMs = 250

/** Makes what runs the steps of one plan. `onBug` is called with what the clock throws. */
export function timeLimits(clock: Pick<Clock, 'elapsed' | 'sleep'>, onBug: (error: unknown) => void): InTime {
  const running = new Set<Running>()
  let isLooking = false

  async function look(): Promise<void> {
    while (running.size > 0) {
      await clock.sleep(lookMs)
      const nowMs = clock.elapsed()
      for (const { dueMs, timeoutMs, limit } of running)
        if (dueMs <= nowMs) limit.abort(new StepFault(message('delivery.timeout', { seconds: timeoutMs / 1000 })))
    }
    isLooking = false
  }

  return async (timeoutMs, act) => {
    const limit = new AbortController()
    const begun = act(limit.signal)
    if (!(begun instanceof Promise)) return begun
    const each = { dueMs: clock.elapsed() + timeoutMs, timeoutMs, limit }
    running.add(each)
    if (!isLooking) {
      isLooking = true
      look().catch(onBug)
    }
    const late = Promise.withResolvers<never>()
    limit.signal.addEventListener('abort', () => late.reject(limit.signal.reason as Error), { once: true })
    try {
      return await Promise.race([begun, late.promise])
    } finally {
      running.delete(each)
    }
  }
}
