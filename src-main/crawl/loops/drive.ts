/** Runs a pass that lasts while jobs are worked on: calls `act`, and again when `act` asks for it or the alarm rings. */
import type { Alarm } from '../model/alarm.ts'
import { pollMs } from '../model/limits.ts'
import type { Engine } from './engine.ts'

/** Resolves when no job is worked on any more or the engine is closed. `act` returns after how many milliseconds it must be called
 *  again; undefined if only the alarm can make that necessary. */
export async function drive(
  { signal, turns }: Pick<Engine, 'signal' | 'turns'>,
  alarm: Alarm,
  act: () => { afterMs: number | undefined },
): Promise<void> {
  const onEnd = () => alarm.ring()
  signal.addEventListener('abort', onEnd)
  try {
    while (!signal.aborted && !turns.isIdle) {
      const { afterMs = Infinity } = act()
      // An occasional pass without a reason costs nothing.
      await alarm.wait(Math.min(afterMs, pollMs))
    }
  } finally {
    signal.removeEventListener('abort', onEnd)
  }
}
