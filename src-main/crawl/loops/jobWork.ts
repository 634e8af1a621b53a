/** Slow work for jobs: at most one piece at a time per loop and job. It is stopped when its job leaves the states in which it may
 *  continue. An error in one job stops no other. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { jobStates, type JobEvent, type JobState } from '../../contract/states/jobStates.ts'
import type { World } from '../../world/world.ts'
import type { RunningJob } from '../model/jobs.sql.ts'

/** The work of an engine for its jobs. */
export interface JobWork {
  /** Tells whether the job has work of the given loop, or of any loop. */
  isBusy(job: number, loop?: string): boolean
  /** Begins work. Its signal is aborted when the job leaves the states `goesOnIn`. Does nothing if the loop already works for the
   *  job. */
  begin(
    job: number,
    work: { loop: string; goesOnIn: readonly JobState[] },
    run: (signal: AbortSignal) => Promise<void>,
  ): void
  /** Stops the work of jobs that have left the states in which it may continue. */
  stopThoseWhoseJobLeft(jobs: readonly RunningJob[]): void
  /** Stops all work; resolves when it has ended. */
  end(): Promise<void>
}

/** Lists the states in which work may continue that begins in `state` and moves the job on with `event`: this state and the next. */
export function statesOfWork(state: JobState, event: JobEvent): JobState[] {
  const to = jobStates.next(state, event)
  return to === undefined ? [state] : [state, to]
}

/** Parameters of `openJobWork`. */
export interface JobWorkSetting {
  world: World
  /** Aborted when the engine is closed. */
  signal: AbortSignal
  onEnded(): void
  onFault(job: number, error: unknown): void
  /** Moves the job back to the state from which the interrupted work can begin again. */
  interrupt(job: number): void
}

/** Wait after an error: the work begins again, but a persistent error must not keep a core busy. */
const restAfterFaultMs = 2_000

interface Work {
  job: number
  loop: string
  goesOnIn: readonly JobState[]
  stop: AbortController
  ended: Promise<void>
}

/** Opens the work of an engine; nothing runs until `begin`. */
export function openJobWork({ world, signal, onEnded, onFault, interrupt }: JobWorkSetting): JobWork {
  const running = new Map<string, Work>()

  async function afterFault(job: number, error: unknown): Promise<void> {
    // The engine is closing: the work begins again at the next start.
    if (signal.aborted && error === signal.reason) return
    onFault(job, error)
    await sleepUnlessAborted(world.clock, restAfterFaultMs, signal)
    try {
      interrupt(job)
    } catch (again) {
      onFault(job, again)
    }
  }

  return {
    isBusy: (job, loop) =>
      loop === undefined ? [...running.values()].some((work) => work.job === job) : running.has(`${loop} ${job}`),
    begin(job, { loop, goesOnIn }, run) {
      const key = `${loop} ${job}`
      if (running.has(key)) return
      const stop = new AbortController()
      const ended = run(stop.signal)
        // Stopped on request.
        .catch((error: unknown) =>
          stop.signal.aborted && error === stop.signal.reason ? undefined : afterFault(job, error),
        )
        .finally(() => {
          running.delete(key)
          onEnded()
        })
      running.set(key, { job, loop, goesOnIn, stop, ended })
    },
    stopThoseWhoseJobLeft(jobs) {
      const stateOf = new Map(jobs.map(({ id, state }) => [id, state]))
      for (const { job, goesOnIn, stop } of running.values()) {
        if (!goesOnIn.includes(stateOf.get(job) ?? 'INACTIVE')) stop.abort()
      }
    },
    async end() {
      for (const { stop } of running.values()) stop.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
