/** A pass that lasts while jobs are worked on: `act` is done, and again when it says so or somebody rings. */
import type { Alarm } from '../model/alarm.ts'
import { pollMs } from '../model/limits.ts'
import type { Engine } from './engine.ts'

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
      // Whatever was said: a look now and then costs nothing.
      await alarm.wait(Math.min(afterMs, pollMs))
    }
  } finally {
    signal.removeEventListener('abort', onEnd)
  }
}
