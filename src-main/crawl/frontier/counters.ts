/** The counters of the bins and the depth of the queue, in the database: they survive a restart. */
import type { QueueStatements } from './queue.sql.ts'
import type { NumberingSetting } from './numbering.ts'

/** Returns the stored counters, and the depth as it is now: call it once per batch, inside its transaction. */
export function countersBy(
  sql: Pick<QueueStatements, 'depth' | 'counter' | 'setCounter'>,
): Pick<NumberingSetting, 'counters' | 'depthMin'> {
  return {
    depthMin: sql.depth.get({})?.depthMin ?? 0,
    counters: {
      get: (bin) => sql.counter.get({ bin })?.value,
      set: (bin, value) => void sql.setCounter.run({ bin, value }),
    },
  }
}
