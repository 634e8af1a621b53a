/** Tasks whose work another part of Loupe does, such as imports, which are jobs of the crawl: that part moves the task in its own
 *  transactions, and requests of users are passed on to it. */
import { Fault } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { isActiveTask } from '../contract/states/taskStates.ts'
import { message } from '../contract/words/message.ts'
import type { Elsewhere, TaskAction } from './task.ts'
import { refusal, type TaskActions } from './taskActions.ts'

export interface ElsewhereWaits {
  /** The actions on tasks of a kind. A stop or a pause rejects with `Fault` stopped when the engine is closed before it has had its
   *  effect. */
  actions(elsewhere: Elsewhere): TaskActions
  /** Called when the task may have changed. */
  changed(task: TaskSummary): void
  /** Rejects what waits. */
  close(): void
}

const permissionOf = { stop: 'canStop', pause: 'canPause', resume: 'canResume' } as const

/** `summary`: returns the task as it is now. */
export function openElsewhereWaits(summary: (id: number) => TaskSummary): ElsewhereWaits {
  const waiting = new Map<number, PromiseWithResolvers<TaskSummary>>()

  function request({ act }: Elsewhere, id: number, action: TaskAction): TaskSummary {
    const task = summary(id)
    if (!task[permissionOf[action]]) throw refusal(task, action)
    act(id, action)
    return summary(id)
  }

  /** Requests a stop or a pause, and resolves when it has had its effect. */
  async function halt(elsewhere: Elsewhere, id: number, action: 'stop' | 'pause'): Promise<TaskSummary> {
    const task = request(elsewhere, id, action)
    if (!elsewhere.isRunning || !isActiveTask(task.state)) return task
    const wait = waiting.get(id) ?? Promise.withResolvers<TaskSummary>()
    waiting.set(id, wait)
    return wait.promise
  }

  return {
    actions: (elsewhere) => ({
      stop: (id) => halt(elsewhere, id, 'stop'),
      pause: (id) => halt(elsewhere, id, 'pause'),
      resume: async (id) => request(elsewhere, id, 'resume'),
    }),
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
