/** Plans again runs that lie further ahead than their schedule ever plans: the clock of the machine was set back since. Without it, a clock
 *  that was a year ahead for a moment would postpone a harvest by a year. */
import type { Store } from '../../storage/storage.ts'
import { timingOf } from '../calendar/harvestSchedules.ts'
import { latestPlanMs } from '../calendar/timing.ts'
import { harvestReadStatements, harvestWriteStatements } from './harvestDefinitions.sql.ts'

/** Returns a function that plans again what has to be, as seen from `nowMs`. */
export function replanner(store: Store): (nowMs: number) => void {
  const { planned } = harvestReadStatements(store)
  const { plan } = harvestWriteStatements(store)
  return (nowMs) => {
    for (const { id, timing, nextRunMs } of planned.all({ nowMs })) {
      const latestMs = timing === null ? nowMs : latestPlanMs(timingOf(timing), nowMs)
      if (latestMs !== null && nextRunMs > latestMs) plan.run({ id, nextMs: latestMs })
    }
  }
}
