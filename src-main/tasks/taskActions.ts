/** What is done with a task by those who did not start it: it is stopped, paused, resumed or interrupted. The functions here are for tasks
 *  whose work this process does; those of other tasks are in `elsewhere.ts`. */
import { Fault } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { taskKinds, type TaskKind } from '../contract/shapes/taskKinds.ts'
import { isActiveTask, taskStates } from '../contract/states/taskStates.ts'
import { accepts } from '../contract/states/stateTable.ts'
import { message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import type { KindRules, Resumer, TaskAction } from './task.ts'
import type { TaskRecords } from './taskRecords.ts'
import type { TaskRuns } from './taskRuns.ts'

export interface TaskActions {
  /** Stops a task and resolves when its work has ended. Throws `Fault`: notFound, refused (it has ended). */
  stop(id: number): Promise<TaskSummary>
  /** Pauses a task and resolves when its work has ended. Throws `Fault`: notFound, refused. */
  pause(id: number): Promise<TaskSummary>
  /** Continues a task, as one that `by`, or else the user, started. Throws `Fault`: notFound, refused, stopped. */
  resume(id: number, by?: Resumer): Promise<TaskSummary>
}

export interface OwnActions extends TaskActions {
  /** Interrupts a task to make way for another, and resolves when its work has ended. No effect when it is not active. */
  interrupt(id: number): Promise<TaskSummary>
}

interface ActionParts {
  store: Store
  records: TaskRecords
  runs: TaskRuns
  rulesOf: (kind: TaskKind) => KindRules
  summary: (id: number) => TaskSummary
  /** Tells listeners about a task, and returns it. */
  announceNow: (id: number) => TaskSummary
  /** Throws `Fault` stopped when the tasks are closed. */
  refuseWhenClosed: () => void
}

export function openActions(parts: ActionParts): OwnActions {
  const { store, records, runs, rulesOf, summary, announceNow, refuseWhenClosed } = parts

  /** Moves a task and waits until its work has ended. */
  async function halt(id: number, event: 'stop' | 'pause'): Promise<TaskSummary> {
    if (records.move(id, event) === undefined) throw refusal(summary(id), event)
    announceNow(id)
    return interrupt(id)
  }

  async function interrupt(id: number): Promise<TaskSummary> {
    if (runs.abort(id)) {
      await runs.ended(id)
      return summary(id)
    }
    // No work of this process: a killed process left it, and its kind was not registered since.
    if (!isActiveTask(records.one(id).state)) return summary(id)
    records.move(id, 'interrupted')
    return announceNow(id)
  }

  /** Returns the rules of a kind that can continue its tasks. Throws `Fault` refused for another kind. */
  function continuing(id: number, code: 'task.pause.kind' | 'task.resume.kind') {
    const { kind } = records.one(id)
    const { resume, beforeResume } = rulesOf(kind)
    if (!resume) throw new Fault('refused', message(code, { task: id, kind: taskKinds[kind] }))
    return { resume, beforeResume }
  }

  return {
    stop: (id) => halt(id, 'stop'),
    async pause(id) {
      continuing(id, 'task.pause.kind')
      return halt(id, 'pause')
    },
    async resume(id, by = 'user') {
      const rules = continuing(id, 'task.resume.kind')
      const event = by === 'user' ? 'resume' : 'autoResume'
      const task = summary(id)
      if (!accepts(taskStates, task.state, event)) throw refusal(task, 'resume')
      await rules.beforeResume?.(task, by)
      refuseWhenClosed()
      store.transaction(() => {
        records.noteStarter(id, by)
        // Another call may have resumed it meanwhile.
        if (records.move(id, event) === undefined) throw refusal(summary(id), 'resume')
      })
      runs.begin(id, rules.resume)
      return announceNow(id)
    },
    interrupt,
  }
}

const refusalOf = { stop: 'task.noStop', pause: 'task.noPause', resume: 'task.noResume' } as const

/** The fault of an action that the state of a task does not allow. */
export function refusal({ task, state }: Pick<TaskSummary, 'task' | 'state'>, action: TaskAction): Fault {
  return new Fault('refused', message(refusalOf[action], { task, state: taskStates.rows[state].badge }))
}
