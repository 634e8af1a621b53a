/** Functions of a module that must end in time, because something waits for them that cannot wait for ever. */
import { unlessAborted } from '../world/unlessAborted.ts'
import type { Clock } from '../world/world.ts'

/** Runs the function. Rejects with `late` if it takes longer than `msMax`; it is not ended by that. */
export async function inTime<T>(
  clock: Clock,
  { msMax, late }: { msMax: number; late: Error },
  act: () => Promise<T>,
): Promise<T> {
  const [over, done] = [new AbortController(), new AbortController()]
  const limit = clock.sleep(msMax, done.signal).then(
    () => over.abort(late),
    () => undefined,
  )
  try {
    return await unlessAborted(act(), over.signal)
  } finally {
    done.abort()
    await limit
  }
}
