/** Results of one connection by user, kept for a time, the least recently used dropped first. While a result is being fetched, further
 *  requests for the same user wait for it. */
import type { Clock } from '../../world/world.ts'

interface KeepSetting<Result> {
  clock: Pick<Clock, 'elapsed'>
  /** 0: results are shared while they are being fetched, and not kept. */
  keepMs: number
  /** Results kept at once. */
  keptMax: number
  /** Whether a result is kept. One that is not may be better a moment later. */
  isKept(result: Result): boolean
}

/** Results by user. */
export interface KeptResults<Result> {
  /** Returns the kept result, or waits for the one that is being fetched, or fetches it. Rejects as `fetch` does. */
  get(user: string, fetch: () => Promise<Result>): Promise<Result>
}

/** Makes an empty collection. */
export function keptResults<Result>({ clock, keepMs, keptMax, isKept }: KeepSetting<Result>): KeptResults<Result> {
  const fetching = new Map<string, Promise<Result>>()
  /** The least recently used first. */
  const kept = new Map<string, { result: Result; untilMs: number }>()

  function keep(user: string, entry: { result: Result; untilMs: number }): void {
    kept.delete(user)
    kept.set(user, entry)
    const [oldest] = kept.keys()
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
  }

  async function fetched(user: string, fetch: () => Promise<Result>): Promise<Result> {
    try {
      const result = await fetch()
      if (keepMs > 0 && isKept(result)) keep(user, { result, untilMs: clock.elapsed() + keepMs })
      return result
    } finally {
      fetching.delete(user)
    }
  }

  return {
    async get(user, fetch) {
      const entry = kept.get(user)
      if (entry && clock.elapsed() < entry.untilMs) {
        keep(user, entry)
        return entry.result
      }
      kept.delete(user)
      const begun = fetching.get(user) ?? fetched(user, fetch)
      fetching.set(user, begun)
      return begun
    },
  }
}
