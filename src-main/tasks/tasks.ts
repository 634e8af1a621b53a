/** Tasks: everything that is started, reports progress, is paused or stopped, ends and survives a restart. A kind of task brings its work;
 *  this module runs it, keeps the one table of tasks, and tells listeners about changes. */
import { emitter } from '../contract/calls/emitter.ts'
import { Fault } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import type { TaskKind } from '../contract/shapes/taskKinds.ts'
import { message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { openElsewhereWaits } from './elsewhere.ts'
import type { KindRules, TaskOrder, Work } from './task.ts'
import { openActions, type OwnActions, type TaskActions } from './taskActions.ts'
import { liveColumnsOf, openRecords, summaryOf, type TaskRecords } from './taskRecords.ts'
import { openRuns } from './taskRuns.ts'
import type { TaskRow } from './tasks.sql.ts'

export interface TasksParts {
  store: Store
  world: Pick<World, 'clock'>
  /** Called with an unexpected error (a bug) of the work of a task, which then has failed. */
  onBug: (error: unknown, kind: TaskKind) => void
}

export interface Tasks extends OwnActions {
  /** Makes a kind known, and settles its tasks that the end of the last process interrupted. Called once per kind, before its first
   *  task. */
  register(kind: TaskKind, rules?: KindRules): Promise<void>
  /** Adds a task and begins its work. Throws `Fault` stopped when the tasks are closed. */
  begin(kind: TaskKind, order: TaskOrder, work: Work): TaskSummary
  /** Newest first. */
  list(options: { kind?: TaskKind | undefined; limit: number }): TaskSummary[]
  /** Number of tasks of a kind in an active state: waiting, running, or about to stop or pause. */
  activeCount(kind: TaskKind): number
  /** Throws `Fault` notFound, also when the task is not of the given kind. */
  one(id: number, kind?: TaskKind): TaskSummary
  /** Resolves when this process no longer works on the task. */
  ended(id: number): Promise<TaskSummary>
  /** Calls the listener a few times a second for each task, and always at its start and end. Returns a function that removes the
   *  listener. */
  onChange(listener: (task: TaskSummary) => void): () => void
  /** Tells listeners about a task that the part which does its work has changed. */
  announce(id: number): void
  /** Interrupts all tasks and resolves when their work has ended. */
  close(): Promise<void>
}

export function openTasks({ store, world, onBug }: TasksParts): Tasks {
  const { clock } = world
  const records = openRecords(store, clock, (id, event) => {
    const task = summary(id)
    kinds.get(task.kind)?.onMove?.(task, event)
  })
  const changes = emitter<TaskSummary>()
  const kinds = new Map<TaskKind, KindRules>()
  let isClosed = false
  const waits = openElsewhereWaits(summary)
  const runs = openRuns({ store, clock, records, onBug, onChange: (id) => void announceNow(id) })

  function summary(id: number): TaskSummary {
    return summaryNow(records.one(id))
  }

  function summaryNow(row: TaskRow): TaskSummary {
    const { resume, elsewhere } = kinds.get(row.kind) ?? {}
    const task = summaryOf(row, runs.live(row.id) ?? liveColumnsOf(row), resume !== undefined)
    return elsewhere ? { ...task, ...elsewhere.allowed(row.id) } : task
  }

  function announceNow(id: number): TaskSummary {
    const task = summary(id)
    changes.emit(task)
    waits.changed(task)
    return task
  }

  function rulesOf(kind: TaskKind): KindRules {
    const rules = kinds.get(kind)
    if (!rules) throw new Error(`the kind ${kind} of tasks is not registered`)
    return rules
  }

  function refuseWhenClosed(): void {
    if (isClosed) throw new Fault('stopped', message('task.closed'))
  }

  const own = openActions({ store, records, runs, rulesOf, summary, announceNow, refuseWhenClosed })

  function actionsOn(id: number): TaskActions {
    const elsewhere = kinds.get(records.one(id).kind)?.elsewhere
    return elsewhere ? waits.actions(elsewhere) : own
  }

  return {
    async register(kind, rules = {}) {
      kinds.set(kind, rules)
      if (rules.elsewhere) return
      for (const id of records.active(kind)) {
        const problem = await rules.onInterrupted?.(summary(id))
        records.move(id, 'interrupted', problem && { code: null, problem })
      }
    },
    begin(kind, order, work) {
      refuseWhenClosed()
      const { endedMax } = rulesOf(kind)
      const id = store.transaction(() => {
        if (endedMax !== undefined) records.keepNewest(kind, endedMax)
        return addTask(records, kind, order)
      })
      runs.begin(id, work, order.after)
      return announceNow(id)
    },
    list: (options) => records.list(options).map(summaryNow),
    activeCount: (kind) => records.active(kind).length,
    one(id, kind) {
      const task = summary(id)
      if (kind !== undefined && task.kind !== kind) throw new Fault('notFound', message('task.absent', { task: id }))
      return task
    },
    stop: async (id) => actionsOn(id).stop(id),
    pause: async (id) => actionsOn(id).pause(id),
    resume: async (id, by) => actionsOn(id).resume(id, by),
    interrupt: own.interrupt,
    async ended(id) {
      await runs.ended(id)
      return summary(id)
    },
    onChange: changes.on,
    announce: (id) => void announceNow(id),
    async close() {
      isClosed = true
      waits.close()
      await runs.close()
    },
  }
}

function addTask(records: TaskRecords, kind: TaskKind, order: TaskOrder): number {
  const id = records.add(kind, order)
  order.record?.(id)
  if (!order.after) records.move(id, 'begun')
  return id
}
