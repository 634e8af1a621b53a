/** A replica whose bytes are read and written no faster than allowed, so that people can work meanwhile. The rate is for
 *  all its operations together: so many run at once, each with its part, and the others wait. */
import type { Clock, ReadableFile } from '../../world/world.ts'
import { stopwatch } from '../../world/stopwatch.ts'
import { pauseMs } from '../files/readThrough.ts'
import type { Replica } from './replica.ts'

export interface Pace {
  /** 0: as fast as it goes. */
  bytesPerSecondMax: number
  operationsAtOnceMax: number
}

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

/** So many pass at once; the others in the order in which they came. */
function turnstile(atOnceMax: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (act) => {
    if (inside >= atOnceMax) await new Promise<void>((enter) => void waiting.push(enter))
    else inside += 1
    try {
      return await act()
    } finally {
      // The next one takes this place, so the number inside stays.
      const enter = waiting.shift()
      if (enter) enter()
      else inside -= 1
    }
  }
}
