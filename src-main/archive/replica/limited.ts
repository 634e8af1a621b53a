/** Limits the read and write rate of a replica, so that background work leaves bandwidth for users. The rate is shared by all
 *  operations: at most `operationsAtOnceMax` run at once, each with an equal share, and the others wait. */
import type { Clock, ReadableFile } from '../../world/world.ts'
import { stopwatch } from '../../world/stopwatch.ts'
import { pauseMs } from '../files/readThrough.ts'
import type { Replica } from './replica.ts'

/** Rate limits of a replica. */
export interface Pace {
  /** Maximum rate of the whole replica in bytes per second; 0: unlimited. */
  bytesPerSecondMax: number
  operationsAtOnceMax: number
}

/** Wraps a replica so that it obeys the limits; returns the replica itself when the rate is unlimited. */
export function limited(
  inner: Replica,
  clock: Clock,
  { bytesPerSecondMax: whole, operationsAtOnceMax }: Pace,
): Replica {
  if (whole <= 0) return inner
  const bytesPerSecondMax = Math.max(1, Math.floor(whole / operationsAtOnceMax))
  const inTurn = turnstile(operationsAtOnceMax)
  return {
    ...inner,
    add: (file, options) => inTurn(() => inner.add(file, { ...options, bytesPerSecondMax })),
    checksum: (file, options) => inTurn(() => inner.checksum(file, { ...options, bytesPerSecondMax })),
    open: async (file) => paced(await inner.open(file), clock, bytesPerSecondMax),
  }
}

function paced(file: ReadableFile, clock: Clock, bytesPerSecondMax: number): ReadableFile {
  const elapsedMs = stopwatch(clock)
  let bytes = 0
  return {
    async read(into, position) {
      const read = await file.read(into, position)
      bytes += read
      const waitMs = pauseMs(bytes, elapsedMs(), bytesPerSecondMax)
      if (waitMs > 0) await clock.sleep(waitMs)
      return read
    },
    bytes: () => file.bytes(),
    close: () => file.close(),
  }
}

/** Lets at most `atOnceMax` actions run at once; the others wait in the order of their arrival. */
function turnstile(atOnceMax: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (act) => {
    if (inside >= atOnceMax) await new Promise<void>((enter) => void waiting.push(enter))
    else inside += 1
    try {
      return await act()
    } finally {
      // The next action takes over this place, so the count does not change.
      const enter = waiting.shift()
      if (enter) enter()
      else inside -= 1
    }
  }
}
