/** The work of tasks in this process: begins it, records how it ends, and tells listeners. */
import { Fault, userMessageOf } from '../contract/calls/faults.ts'
import { unlessAborted } from '../world/unlessAborted.ts'
import type { TaskKind } from '../contract/shapes/taskKinds.ts'
import { messageOf } from '../contract/text/messageOf.ts'
import { message } from '../contract/words/message.ts'
import type { Store } from '../storage/storage.ts'
import type { Clock } from '../world/world.ts'
import { LiveTask } from './liveTask.ts'
import type { Ending, Work } from './task.ts'
import { liveColumnsOf, type LiveColumns, type Problem, type TaskRecords } from './taskRecords.ts'

interface RunsParts {
  store: Store
  clock: Pick<Clock, 'elapsed'>
  records: TaskRecords
  onBug: (error: unknown, kind: TaskKind) => void
  onChange: (id: number) => void
}

export interface TaskRuns {
  /** Begins the work of a task, when `after` has resolved. */
  begin(id: number, work: Work, after?: Promise<unknown>): void
  /** Progress of a task that this process works on. */
  live(id: number): LiveColumns | undefined
  /** Asks the work of a task to end. False when this process does not work on it. */
  abort(id: number): boolean
  /** Resolves when this process no longer works on the task. */
  ended(id: number): Promise<void>
  /** Asks all work to end, and resolves when it has. */
  close(): Promise<void>
}

/** How the work ended: with a result, because its signal was aborted, or by a bug. */
type Result = Ending | { aborted: true } | { bug: unknown }

interface Begun {
  work: Work
  kind: TaskKind
  /** Resolves when the work may begin; absent: at once. */
  begun: Promise<void> | undefined
}

export function openRuns({ store, clock, records, onBug, onChange }: RunsParts): TaskRuns {
  const running = new Map<number, LiveTask>()

  /** Rejects when the end cannot be reported to the listeners. */
  async function runToEnd(task: LiveTask, { work, kind, begun }: Begun): Promise<void> {
    const result = await resultOf(task, work, begun)
    try {
      store.transaction(() => settle(records, task, result))
    } catch (error) {
      // The database cannot be written. The row still says that the task is active, and the next start settles it.
      onBug(error, kind)
    } finally {
      running.delete(task.id)
    }
    onChange(task.id)
    if ('bug' in result) onBug(result.bug, kind)
  }

  /** Lets a waiting task begin once `after` has resolved. */
  async function waitToBegin({ id, signal }: LiveTask, after: Promise<unknown>): Promise<void> {
    await unlessAborted(after, signal)
    records.move(id, 'begun')
    onChange(id)
  }

  return {
    begin(id, work, after) {
      const row = records.one(id)
      const task = new LiveTask(id, liveColumnsOf(row), {
        clock,
        onSave: (live) => store.unsyncedTransaction(() => records.note(id, live)),
        onChange: () => onChange(id),
      })
      running.set(id, task)
      const { kind } = row
      const begun = after && waitToBegin(task, after)
      task.whole = runToEnd(task, { work, kind, begun }).catch((error: unknown) => onBug(error, kind))
    },
    live: (id) => running.get(id)?.live,
    abort(id) {
      const task = running.get(id)
      task?.abort()
      return task !== undefined
    },
    ended: async (id) => running.get(id)?.whole,
    async close() {
      const tasks = [...running.values()]
      for (const task of tasks) task.abort()
      await Promise.all(tasks.map(({ whole }) => whole))
    },
  }
}

/** Does the work. Never rejects. */
async function resultOf(task: LiveTask, work: Work, begun: Promise<void> | undefined): Promise<Result> {
  const { signal } = task
  try {
    await begun
    return await work(task)
  } catch (error) {
    if (signal.aborted && isAbort(error, signal)) return { aborted: true }
    if (error instanceof Fault) return { event: 'failed', code: error.code, problem: userMessageOf(error) }
    return { bug: error }
  }
}

/** Whether an error is the abort itself. Threads and streams pass it on as an `AbortError` of their own. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}

/** Records the end of a task. */
function settle(records: TaskRecords, task: LiveTask, result: Result): void {
  const { id, live } = task
  records.note(id, live)
  if ('aborted' in result) return endAborted(records, id)
  if ('bug' in result) {
    const problem = message('task.broken', { problem: messageOf(result.bug) })
    return void records.move(id, 'failed', { code: 'internal', problem })
  }
  records.move(id, result.event, problemOf(result))
  result.record?.()
}

/** The state says what the abort was for, and allows only one of these events; no request means that the engine is being closed. */
function endAborted(records: TaskRecords, id: number): void {
  for (const event of ['paused', 'stopped', 'interrupted'] as const) if (records.move(id, event) !== undefined) return
}

function problemOf(ending: Ending): Problem | undefined {
  return ending.event === 'failed' ? { code: ending.code, problem: ending.problem } : undefined
}
