/** Samples the progress of a run into the database, for its progress-statistics.log. Samples are rows of the transactions that
 *  store the working time, so a kill loses none that was made. */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { progressStatements } from '../model/progress.sql.ts'

/** The samples of one segment. */
export interface ProgressSampler {
  /** Adds a sample if it is time. Called whenever the working time is stored. */
  note(runningMs: number): void
  /** Adds the sample of the end of the segment, in place of that of an earlier segment. Called inside a transaction. */
  end(runningMs: number): void
}

/** Shortest interval of samples, that of Heritrix. */
const intervalMsMin = 20_000
/** Samples in a working time that begins with the run; the interval grows with the run. So there are 250 in the first 83 minutes
 *  and 250 more whenever the time has grown by the factor e: 1,500 in a week, 2,500 in a year. */
const samplesInTime = 250

/** Opens the samples of a segment. */
export function progressSampler(store: Store, clock: Pick<Clock, 'now'>, job: number): ProgressSampler {
  const sql = progressStatements(store)
  let lastMs = sql.last.get({ job })?.runningMs ?? 0
  return {
    note(runningMs) {
      if (runningMs - lastMs < Math.max(intervalMsMin, runningMs / samplesInTime)) return
      lastMs = runningMs
      sql.add.run({ job, runningMs, isEnd: 0, nowMs: clock.now() })
    },
    end(runningMs) {
      sql.forgetEnd.run({ job })
      sql.add.run({ job, runningMs, isEnd: 1, nowMs: clock.now() })
    },
  }
}
