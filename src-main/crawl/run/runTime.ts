/** How long a run of a job has been worked on: the time that `jobs` shows and that the limit of time counts. It is counted by the
 *  monotonic clock while somebody works on the job and added up in the database, with every commit and every few seconds
 *  between two commits. So neither a clock that is set, nor a kill, nor the time until the next start can make it wrong by
 *  more than these seconds, and whoever reads it needs no clock at all. */
import { StorageFault, type Store } from '../../storage/storage.ts'
import { awakeStopwatch } from '../../world/stopwatch.ts'
import type { World } from '../../world/world.ts'
import { jobStatements } from '../model/jobs.sql.ts'

export interface RunTime {
  /** Of the run, with all stretches before this one. */
  elapsedMs(): number
  /** Writes down how long it is by now: also within the transaction of somebody else, which may be rolled back. */
  note(): void
  /** The stretch is over. */
  end(): void
}

/** How often is counted. */
const tickMs = 1_000
/** What counts at the most between two ticks, however much the clock went on: a machine that is suspended for a night works on
 *  nothing meanwhile, but on some systems the monotonic clock goes on (see `world/real.ts`). A thread that is merely busy has
 *  its turn again before. */
const tickMsMax = 5_000
/** Longest time that is counted and not yet written down: what a kill loses of it. More often would only wear out the disk
 *  under a job that waits for days. */
const unnotedMsMax = 5_000

export interface RunTimeSetting {
  store: Store
  world: World
  job: number
  /** Of the stretches before. */
  beforeMs: number
  /** It was written down without a commit. */
  onNoted(): void
}

export function beginRunTime({ store, world, job, beforeMs, onNoted }: RunTimeSetting): RunTime {
  const { noteRunning } = jobStatements(store)
  const { clock } = world
  const ended = new AbortController()
  const countedMs = awakeStopwatch(clock, tickMsMax)
  let notedMs = 0

  function note(): void {
    notedMs = countedMs()
    noteRunning.run({ job, runningMs: beforeMs + Math.floor(notedMs) })
  }

  /** Of no commit: a power cut may take it back, and nobody waits for the disk. */
  function noteBetween(): void {
    try {
      store.unsyncedTransaction(note)
    } catch (error) {
      // The next one writes it; a fault that lasts is told by the commit of what was fetched.
      if (!(error instanceof StorageFault)) throw error
      return
    }
    onNoted()
  }

  async function tick(): Promise<void> {
    const { signal } = ended
    const isOver = () => signal.aborted
    while (!isOver()) {
      await clock.sleep(tickMs, signal).catch(() => undefined) // only its end cuts it short
      if (!isOver() && countedMs() - notedMs >= unnotedMsMax) noteBetween()
    }
  }

  void tick()
  return {
    elapsedMs: () => beforeMs + countedMs(),
    note,
    end() {
      ended.abort()
      note()
    },
  }
}
