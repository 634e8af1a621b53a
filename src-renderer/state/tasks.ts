/** The store of all tasks, of whatever kind: those that are running, and the last that have ended. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { liveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { seen, type ProgressSample } from './pace.ts'

/** Tasks that are listed: those that run, and the newest that have ended. */
export const tasksListedMax = 100

export type TaskAction = 'pause' | 'resume' | 'stop'

export interface TasksState {
  /** Newest first. */
  tasks: Loaded<TaskSummary[]>
  /** Observed progress of each running task. */
  samples: Readonly<Record<number, ProgressSample[]>>
  /** Why the last action was refused. */
  refusal: Fault | null
  load(): Promise<void>
  act(action: TaskAction, task: number): Promise<void>
}

export type TasksServices = { tasks: Pick<Loupe['tasks'], 'list' | 'changed' | TaskAction> }

export function makeTasks({ tasks }: TasksServices): StoreApi<TasksState> {
  const rows = liveRows<TaskSummary>(({ task }) => task)
  const store = createStore<TasksState>()((set) => ({
    tasks: loading,
    samples: {},
    refusal: null,
    load: async () => {
      const answered = rows.ask()
      const known = answered(await loadedFrom(tasks.list({ limit: tasksListedMax })))
      if (known) set({ tasks: known })
    },
    // The event of the task brings its new state.
    act: async (action, task) => {
      set({ refusal: null })
      await tasks[action]({ task }).catch((error: unknown) => set({ refusal: faultFrom(error) }))
    },
  }))
  tasks.changed((task) =>
    store.setState(({ tasks: known, samples }) => ({
      tasks: cut(rows.update(known, task)),
      samples: sampled(samples, task),
    })),
  )
  return store
}

/** Keeps the newest, so that a window that stays open for weeks does not grow. */
function cut(known: Loaded<TaskSummary[]>): Loaded<TaskSummary[]> {
  const listed = valueOf(known)
  if (!listed || listed.length <= tasksListedMax) return known
  return { is: 'ready', value: listed.filter((task, index) => index < tasksListedMax || task.ended === null) }
}

function sampled(samples: TasksState['samples'], task: TaskSummary): TasksState['samples'] {
  const { [task.task]: before = [], ...others } = samples
  if (task.ended !== null) return others
  return { ...others, [task.task]: seen(before, { atMs: performance.now(), done: progressOf(task).done }) }
}

/** What a task has done: in bytes, or where it does not count them in files, or in pages. */
export function progressOf({ kind, bytesDone, bytesTotal, filesDone, filesTotal }: TaskSummary): {
  unit: 'bytes' | 'files' | 'pages'
  done: number
  total: number
} {
  return bytesTotal > 0
    ? { unit: 'bytes', done: bytesDone, total: bytesTotal }
    : { unit: kind === 'pageAudit' ? 'pages' : 'files', done: filesDone, total: filesTotal }
}
