/** Slow work for jobs: at most one task at a time per loop and job. A task is stopped when its job leaves the states in which
 *  it may continue. An error in one job stops no other. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { JobState } from '../../contract/states/jobStates.ts'
import type { World } from '../../world/world.ts'
import type { RunningJob } from '../model/jobs.sql.ts'

/** The tasks of an engine. */
export interface Tasks {
  /** Tells whether the job has a task of the given loop, or of any loop. */
  isBusy(job: number, loop?: string): boolean
  /** Begins a task. Its signal is aborted when the job leaves the states `goesOnIn`. Does nothing if the loop already has a
   *  task for the job. */
  begin(
    job: number,
    task: { loop: string; goesOnIn: readonly JobState[] },
    run: (signal: AbortSignal) => Promise<void>,
  ): void
  /** Stops every task whose job has left the states in which it may continue. */
  stopThoseWhoseJobLeft(running: readonly RunningJob[]): void
  /** Stops all tasks; resolves when none is running. */
  end(): Promise<void>
}

/** Parameters of the tasks. */
export interface TaskSetting {
  world: World
  signal: AbortSignal
  onEnded(): void
  onFault(job: number, error: unknown): void
  /** Moves the job back to the state from which the interrupted work can begin again. */
  interrupt(job: number): void
}

/** Wait after an error: the work begins again, but a persistent error must not keep a core busy. */
const restAfterFaultMs = 2_000

interface Task {
  job: number
  loop: string
  goesOnIn: readonly JobState[]
  stop: AbortController
  ended: Promise<void>
}

export function openTasks({ world, signal, onEnded, onFault, interrupt }: TaskSetting): Tasks {
  const tasks = new Map<string, Task>()

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
      loop === undefined ? [...tasks.values()].some((task) => task.job === job) : tasks.has(`${loop} ${job}`),
    begin(job, { loop, goesOnIn }, run) {
      const key = `${loop} ${job}`
      if (tasks.has(key)) return
      const stop = new AbortController()
      const ended = run(stop.signal)
        // The task was stopped on request.
        .catch((error: unknown) =>
          stop.signal.aborted && error === stop.signal.reason ? undefined : afterFault(job, error),
        )
        .finally(() => {
          tasks.delete(key)
          onEnded()
        })
      tasks.set(key, { job, loop, goesOnIn, stop, ended })
    },
    stopThoseWhoseJobLeft(running) {
      const stateOf = new Map(running.map(({ id, state }) => [id, state]))
      for (const { job, goesOnIn, stop } of tasks.values()) {
        if (!goesOnIn.includes(stateOf.get(job) ?? 'INACTIVE')) stop.abort()
      }
    },
    async end() {
      for (const { stop } of tasks.values()) stop.abort()
      await Promise.all([...tasks.values()].map(({ ended }) => ended))
    },
  }
}
