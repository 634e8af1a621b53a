/** Working time of a run, as `jobs` shows it and as the time limit counts it. It is measured by the monotonic clock while the
 *  job is worked on, and stored with every commit and every few seconds. A change of the system clock, a kill or a pause
 *  therefore makes it wrong by a few seconds at most, and reading it needs no clock. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import { awakeStopwatch } from '../../world/stopwatch.ts'
import type { World } from '../../world/world.ts'
import { runStartStatements } from '../model/runs.sql.ts'
import { progressSampler } from './progressSampler.ts'

/** The working time of a run in progress. */
export interface RunTime {
  /** Returns the working time of the run, including earlier segments. */
  elapsedMs(): number
  /** Stores the working time so far. May be called within another transaction, which may be rolled back. */
  note(): void
  /** Ends the segment and stores the working time. */
  end(): void
}

/** Interval at which time is counted. */
const tickMs = 1_000
/** Most time to count between two ticks, whatever the clock reports: on some systems the monotonic clock continues while the
 *  machine is suspended (see `world/real.ts`), although nothing is worked on then. A busy thread runs again within this time. */
const tickMsMax = 5_000
/** Longest time that is counted and not yet stored, which a kill loses. Storing more often would only wear out the disk
 *  during a job that waits for days. */
const unnotedMsMax = 5_000

/** Parameters of the working time. */
export interface RunTimeSetting {
  store: Store
  world: World
  job: number
  /** Working time of the earlier segments. */
  beforeMs: number
  /** Called after the time was stored between commits. */
  onNoted(): void
}

/** Begins to count the working time of a segment. */
export function beginRunTime({ store, world, job, beforeMs, onNoted }: RunTimeSetting): RunTime {
  const { noteRunning } = runStartStatements(store)
  const samples = progressSampler(store, world.clock, job)
  const { clock } = world
  const ended = new AbortController()
  const countedMs = awakeStopwatch(clock, tickMsMax)
  let notedMs = 0

  function note(): number {
    notedMs = countedMs()
    const runningMs = beforeMs + Math.floor(notedMs)
    noteRunning.run({ job, runningMs })
    samples.note(runningMs)
    return runningMs
  }

  /** Stores it between commits, unsynced: a power cut may lose it, and nothing waits for the disk. */
  function noteBetween(): void {
    try {
      store.unsyncedTransaction(note)
    } catch (error) {
      // The next call stores it. A persistent fault is reported by the next commit.
      if (!(error instanceof StorageFault)) throw error
      return
    }
    onNoted()
  }

  async function tick(): Promise<void> {
    const { signal } = ended
    const isOver = () => signal.aborted
    while (!isOver()) {
      await sleepUnlessAborted(clock, tickMs, signal)
      if (!isOver() && countedMs() - notedMs >= unnotedMsMax) noteBetween()
    }
  }

  void tick()
  return {
    elapsedMs: () => beforeMs + countedMs(),
    note: () => void note(),
    end() {
      ended.abort()
      store.transaction(() => samples.end(note()))
    },
  }
}
