/** Limits of attempts, in memory: after some failures, each further one has to wait twice as long. Pure but for what it remembers. */

/** How attempts are limited. */
export interface AttemptSettings {
  /** Failures without a wait. */
  freeFailures: number
  /** The first wait. It doubles with each further failure. */
  waitMsMin: number
  waitMsMax: number
  /** Time without a failure after which the failures are forgotten. */
  forgetMs: number
  /** Keys that are remembered. Where there would be more, the one that has failed longest ago is forgotten. */
  keysMax: number
}

/** Attempts by key: the name of an account, or an address. Times are of a clock that is never set. */
export interface AttemptLimits {
  /** Time until the next attempt is allowed; 0: now. */
  waitMs(key: string, nowMs: number): number
  /** Counts an attempt as failed. It is called before the attempt, so that attempts at the same time are limited too. */
  begin(key: string, nowMs: number): void
  /** Forgets the failures of a key. */
  clear(key: string): void
  /** Takes back one attempt, because it has not failed. */
  undo(key: string): void
}

interface Failures {
  count: number
  lastMs: number
}

/** Makes limits that remember nothing yet. */
export function attemptLimits(settings: AttemptSettings): AttemptLimits {
  const { freeFailures, waitMsMin, waitMsMax, forgetMs, keysMax } = settings
  const failures = new Map<string, Failures>()

  function of(key: string, nowMs: number): Failures {
    const found = failures.get(key)
    return found && nowMs - found.lastMs < forgetMs ? found : { count: 0, lastMs: nowMs }
  }

  return {
    waitMs(key, nowMs) {
      const { count, lastMs } = of(key, nowMs)
      if (count < freeFailures) return 0
      const waitMs = Math.min(waitMsMin * 2 ** Math.min(count - freeFailures, 30), waitMsMax)
      return Math.max(0, lastMs + waitMs - nowMs)
    },
    begin(key, nowMs) {
      const { count } = of(key, nowMs)
      failures.delete(key)
      failures.set(key, { count: count + 1, lastMs: nowMs })
      if (failures.size <= keysMax) return
      const [oldest] = failures.keys()
      if (oldest !== undefined) failures.delete(oldest)
    },
    clear: (key) => void failures.delete(key),
    undo(key) {
      const found = failures.get(key)
      if (found) failures.set(key, { ...found, count: Math.max(0, found.count - 1) })
    },
  }
}
