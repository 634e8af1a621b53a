/** Slow work for jobs: at most one task at a time per loop and job. A task is stopped when its job leaves the states in which it
 *  may continue. A fault of one job stops no other. */
import type { JobState } from '../../contract/states/jobStates.ts'
import type { World } from '../../world/world.ts'
import type { RunningJob } from '../model/jobs.sql.ts'

export interface Tasks {
  /** Of this loop, or of any. */
  isBusy(job: number, loop?: string): boolean
  /** `goesOnIn`: in any other state of the job its signal is aborted. Nothing happens where the loop has one of the job already. */
  begin(
    job: number,
    task: { loop: string; goesOnIn: readonly JobState[] },
    run: (signal: AbortSignal) => Promise<void>,
  ): void
  stopThoseWhoseJobLeft(running: readonly RunningJob[]): void
  /** Stops all of them; resolves when nothing is under way any more. */
  end(): Promise<void>
}

export interface TaskSetting {
  world: World
  signal: AbortSignal
  onEnded(): void
  onFault(job: number, error: unknown): void
  /** Back to the state in which what was begun can be begun again. */
  interrupt(job: number): void
}

/** What was begun is begun again, but not at once: a fault that stays must not keep a core busy. */
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
    // The engine is being closed: what it was doing is begun again at the next start.
    if (signal.aborted && error === signal.reason) return
    onFault(job, error)
    await world.clock.sleep(restAfterFaultMs, signal).catch(() => undefined) // only the engine's end cuts it short
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
        // It was stopped on request.
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
