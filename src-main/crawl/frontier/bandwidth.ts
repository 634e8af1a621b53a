/** Keeps what is read from one bin below a number of bytes a second, however many connections read from it: whoever has read
 *  waits until as many bytes would have come at that rate. Not reading is what slows the sender down (TCP's window). */
import type { World } from '../../world/world.ts'

export interface Bandwidth {
  /** One more fetch reads. The rate is counted anew from the moment on when none did. */
  begin(nowMs: number): void
  end(): void
  /** These bytes came. Resolves when the next may be read; at once when the signal is aborted. */
  came(bytes: number, signal: AbortSignal): Promise<void>
}

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
        // Told to stop: the watch over the connection ends the fetch.
        if (!signal.aborted) throw error
      }
    },
  }
}
