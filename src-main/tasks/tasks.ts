/** Tasks: everything that is started, reports progress, is paused or stopped, ends and survives a restart. A kind of task brings its work;
 *  this module runs it, keeps the one table of tasks, and tells listeners about changes. */
import { emitter } from '../contract/calls/emitter.ts'
import { Fault } from '../contract/calls/faults.ts'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { taskKinds, type TaskKind } from '../contract/shapes/taskKinds.ts'
import { isActiveTask, taskStates, type TaskEvent } from '../contract/states/taskStates.ts'
import { message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { allowedElsewhere, openElsewhereWaits, type Elsewhere } from './elsewhere.ts'
import type { KindRules, Resumer, TaskOrder, Work } from './task.ts'
import { liveColumnsOf, openRecords, summaryOf, type TaskRecords } from './taskRecords.ts'
import { openRuns } from './taskRuns.ts'

export interface TasksParts {
  store: Store
  world: Pick<World, 'clock'>
  /** Called with an unexpected error (a bug) of the work of a task, which then has failed. */
  onBug: (error: unknown, kind: TaskKind) => void
}

export interface Tasks {
  /** Makes a kind known, and settles its tasks that the end of the last process interrupted. Called once per kind, before its first
   *  task. */
  register(kind: TaskKind, rules?: KindRules): Promise<void>
  /** Adds a task and begins its work. Throws `Fault` stopped when the tasks are closed. */
  begin(kind: TaskKind, order: TaskOrder, work: Work): TaskSummary
  /** Newest first. */
  list(options: { kind?: TaskKind | undefined; limit: number }): TaskSummary[]
  /** Number of tasks of a kind that are worked on, or will be in a moment. */
  activeCount(kind: TaskKind): number
  /** Throws `Fault` notFound, also when the task is not of the given kind. */
  one(id: number, kind?: TaskKind): TaskSummary
  /** Stops a task and resolves when its work has ended. Throws `Fault`: notFound, refused (it has ended). */
  stop(id: number): Promise<TaskSummary>
  /** Pauses a task and resolves when its work has ended. Throws `Fault`: notFound, refused. */
  pause(id: number): Promise<TaskSummary>
  /** Continues a task, as one that `by` started. Throws `Fault`: notFound, refused, stopped. */
  resume(id: number, by?: Resumer): Promise<TaskSummary>
  /** Interrupts a task to make way for another, and resolves when its work has ended. No effect when it is not active. */
  interrupt(id: number): Promise<TaskSummary>
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
  const runs = openRuns({ store, clock, records, onBug, onChange: (id) => void announced(id) })

  function summary(id: number): TaskSummary {
    const row = records.one(id)
    const { resume, elsewhere } = kinds.get(row.kind) ?? {}
    const task = summaryOf(row, runs.live(id) ?? liveColumnsOf(row), resume !== undefined)
    return elsewhere ? { ...task, ...allowedElsewhere(elsewhere, id) } : task
  }

  function announced(id: number): TaskSummary {
    const task = summary(id)
    changes.emit(task)
    waits.changed(task)
    return task
  }

  /** What the kind of a task gives when another part does its work. */
  function elsewhereOf(id: number): Elsewhere | undefined {
    return kinds.get(records.one(id).kind)?.elsewhere
  }

  /** Moves a task and waits until its work has ended. */
  async function halted(id: number, event: 'stop' | 'pause'): Promise<TaskSummary> {
    if (records.move(id, event) === undefined)
      throw refusal(records, id, event === 'stop' ? 'task.noStop' : 'task.noPause')
    announced(id)
    return interrupted(id)
  }

  async function interrupted(id: number): Promise<TaskSummary> {
    if (runs.abort(id)) {
      await runs.ended(id)
      return summary(id)
    }
    // No work of this process: a killed process left it, and its kind was not registered since.
    if (!isActiveTask(records.one(id).state)) return summary(id)
    records.move(id, 'interrupted')
    return announced(id)
  }

  /** Returns how a kind continues its tasks. Throws `Fault` refused when it cannot. */
  function resumption(id: number, code: 'task.pause.kind' | 'task.resume.kind'): Work {
    const { kind } = records.one(id)
    const { resume } = rulesOf(kinds, kind)
    if (!resume) throw new Fault('refused', message(code, { task: id, kind: taskKinds[kind] }))
    return resume
  }

  function refuseWhenClosed(): void {
    if (isClosed) throw new Fault('stopped', message('task.closed'))
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
      const { endedMax } = rulesOf(kinds, kind)
      const id = store.transaction(() => {
        if (endedMax !== undefined) records.keepNewest(kind, endedMax)
        return added(records, kind, order)
      })
      runs.begin(id, work, order.after)
      return announced(id)
    },
    list: (options) => records.list(options).map(({ id }) => summary(id)),
    activeCount: (kind) => records.active(kind).length,
    one(id, kind) {
      const task = summary(id)
      if (kind !== undefined && task.kind !== kind) throw new Fault('notFound', message('task.absent', { task: id }))
      return task
    },
    async stop(id) {
      const elsewhere = elsewhereOf(id)
      return elsewhere ? waits.act(elsewhere, id, 'stop') : halted(id, 'stop')
    },
    async pause(id) {
      const elsewhere = elsewhereOf(id)
      if (elsewhere) return waits.act(elsewhere, id, 'pause')
      resumption(id, 'task.pause.kind')
      return halted(id, 'pause')
    },
    async resume(id, by = 'person') {
      const elsewhere = elsewhereOf(id)
      if (elsewhere) return waits.act(elsewhere, id, 'resume')
      const work = resumption(id, 'task.resume.kind')
      const event = by === 'person' ? 'resume' : 'takenUp'
      if (!allows(records, id, event)) throw refusal(records, id, 'task.noResume')
      await kinds.get(records.one(id).kind)?.beforeResume?.(summary(id), by)
      refuseWhenClosed()
      store.transaction(() => {
        records.noteStarter(id, by)
        // Another call may have resumed it meanwhile.
        if (records.move(id, event) === undefined) throw refusal(records, id, 'task.noResume')
      })
      runs.begin(id, work)
      return announced(id)
    },
    interrupt: interrupted,
    async ended(id) {
      await runs.ended(id)
      return summary(id)
    },
    onChange: changes.on,
    announce: (id) => void announced(id),
    async close() {
      isClosed = true
      waits.close()
      await runs.close()
    },
  }
}

function rulesOf(kinds: ReadonlyMap<TaskKind, KindRules>, kind: TaskKind): KindRules {
  const rules = kinds.get(kind)
  if (!rules) throw new Error(`the kind ${kind} of tasks is not registered`)
  return rules
}

function added(records: TaskRecords, kind: TaskKind, order: TaskOrder): number {
  const id = records.add(kind, order)
  order.record?.(id)
  if (!order.after) records.move(id, 'begun')
  return id
}

function allows(records: TaskRecords, id: number, event: TaskEvent): boolean {
  return taskStates.next(records.one(id).state, event) !== undefined
}

function refusal(records: TaskRecords, id: number, code: 'task.noStop' | 'task.noPause' | 'task.noResume'): Fault {
  const { badge } = taskStates.rows[records.one(id).state]
  return new Fault('refused', message(code, { task: id, state: badge }))
}
