/** Keeps the bytes read from one bin below a rate, however many connections read from it: each reader waits until as many
 *  bytes would have arrived at that rate. A sender that is not read slows down (TCP flow control). */
import type { World } from '../../world/world.ts'

/** The bandwidth of one bin. */
export interface Bandwidth {
  /** Adds a fetch that reads from the bin. The rate starts from zero if there was none. */
  begin(nowMs: number): void
  end(): void
  /** Reports received bytes. Resolves when the next may be read; at once when the signal is aborted. */
  came(bytes: number, signal: AbortSignal): Promise<void>
}

/** Opens the bandwidth of a bin with a rate in bytes per millisecond. */
export function bandwidthOf({ clock }: Pick<World, 'clock'>, bytesPerMs: number): Bandwidth {
  let readers = 0
  let startMs = 0
  let bytesRead = 0
  return {
    begin(nowMs) {
      if (readers === 0) [startMs, bytesRead] = [nowMs, 0]
      readers += 1
    },
    end() {
      readers -= 1
    },
    async came(bytes, signal) {
      bytesRead += bytes
      const waitMs = startMs + bytesRead / bytesPerMs - clock.elapsed()
      if (waitMs <= 0 || signal.aborted) return
      try {
        await clock.sleep(waitMs, signal)
      } catch (error) {
        // Stopped: the code that watches the connection ends the fetch.
        if (!signal.aborted) throw error
      }
    },
  }
}
