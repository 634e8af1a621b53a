/** Tasks whose work another part of Loupe does, such as imports, which are jobs of the crawl: that part moves the task in its own
 *  transactions, and requests of users are passed on to it. */
import { Fault } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { isActiveTask, taskStates } from '../contract/states/taskStates.ts'
import { message } from '../contract/words/message.ts'

export type TaskAction = 'stop' | 'pause' | 'resume'

/** What the part that does the work gives to the tasks. */
export interface Elsewhere {
  /** False in a process in which that part does not run: requests are recorded, and have their effect later. */
  isRunning: boolean
  allows(task: number, action: TaskAction): boolean
  /** Records the request. Throws `Fault` refused. */
  act(task: number, action: TaskAction): void
}

/** The actions that are possible now, by the part that does the work. */
export function allowedElsewhere({ allows }: Elsewhere, task: number) {
  return { canStop: allows(task, 'stop'), canPause: allows(task, 'pause'), canResume: allows(task, 'resume') }
}

export interface ElsewhereWaits {
  /** Passes a request on, and resolves when a stop or a pause has had its effect. Throws `Fault`: refused, stopped (the engine is being
   *  closed). */
  act(elsewhere: Elsewhere, task: number, action: TaskAction): Promise<TaskSummary>
  /** Called when the task may have changed. */
  changed(task: TaskSummary): void
  /** Rejects what waits. */
  close(): void
}

/** `summary`: the task of this moment. */
export function openElsewhereWaits(summary: (id: number) => TaskSummary): ElsewhereWaits {
  const waiting = new Map<number, PromiseWithResolvers<TaskSummary>>()

  return {
    async act(elsewhere, id, action) {
      if (!elsewhere.allows(id, action)) throw refusal(summary(id), action)
      elsewhere.act(id, action)
      const task = summary(id)
      if (action === 'resume' || !elsewhere.isRunning || !isActiveTask(task.state)) return task
      const wait = waiting.get(id) ?? Promise.withResolvers<TaskSummary>()
      waiting.set(id, wait)
      return wait.promise
    },
    changed(task) {
      if (isActiveTask(task.state)) return
      waiting.get(task.task)?.resolve(task)
      waiting.delete(task.task)
    },
    close() {
      for (const { reject } of waiting.values()) reject(new Fault('stopped', message('task.closed')))
      waiting.clear()
    },
  }
}

const refusalOf = { stop: 'task.noStop', pause: 'task.noPause', resume: 'task.noResume' } as const

function refusal({ task, state }: TaskSummary, action: TaskAction): Fault {
  return new Fault('refused', message(refusalOf[action], { task, state: taskStates.rows[state].badge }))
}
