/** Waits that end early without an error. */
import type { Clock } from './world.ts'

/** Resolves after `durationMs`, or as soon as the signal is aborted. */
export async function sleepUnlessAborted(
  clock: Pick<Clock, 'sleep'>,
  durationMs: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(durationMs, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
