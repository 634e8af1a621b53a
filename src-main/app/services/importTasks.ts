/** Imports as tasks: requests to stop, pause or resume the task of an import are passed on to its job, and changes of the job are changes
 *  of the task. */
import { jobStates } from '../../contract/states/jobStates.ts'
import { accepts } from '../../contract/states/stateTable.ts'
import { importTasks, type JobAction, type Jobs } from '../../crawl/crawl.ts'
import type { Store } from '../../storage/storage.ts'
import type { TaskAction } from '../../tasks/task.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { World } from '../../world/world.ts'
import type { Signals } from '../signals/signals.ts'

const jobActions = { stop: 'abort', pause: 'pause', resume: 'resume' } as const satisfies Record<TaskAction, JobAction>

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  tasks: Tasks
  jobs: Pick<Jobs, 'known' | 'act'>
  signals: Signals
  /** Whether this process works on jobs. */
  run: boolean
}

/** Registers the kind. */
export async function registerImports({ store, world, tasks, jobs, signals, run }: Parts): Promise<void> {
  const { taskOf, jobOf } = importTasks(store, world.clock)
  const announce = (job: number) => {
    const task = taskOf(job)
    if (task !== undefined) tasks.announce(task)
  }
  signals.onJob(({ job, kind }) => (kind === 'import' ? announce(job) : undefined))
  signals.onImport(({ job }) => announce(job))
  await tasks.register('import', {
    elsewhere: {
      isRunning: run,
      allowed(task) {
        const job = jobOf(task)
        const known = job === undefined ? undefined : jobs.known(job)
        const allows = (action: TaskAction) =>
          known !== undefined && accepts(jobStates, known.state, jobActions[action])
        return { canStop: allows('stop'), canPause: allows('pause'), canResume: allows('resume') }
      },
      act(task, action) {
        const job = jobOf(task)
        if (job === undefined) throw new Error(`task ${task} has no job`)
        jobs.act(job, jobActions[action])
        signals.report({ kind: 'changed', job })
      },
    },
  })
}
