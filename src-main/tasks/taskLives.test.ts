/** Any sequence of starts, reports, stops, pauses, resumptions and kills leaves every task in a state that its history explains. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TaskSummary } from '../contract/services/tasks.ts'
import { isActiveTask, isEndedTask, taskStates, type TaskState } from '../contract/states/taskStates.ts'
import { message } from '../contract/words/message.ts'
import { openStore, type Store } from '../storage/storage.ts'
import type { Ending, Task } from './task.ts'
import { openTasks, type Tasks } from './tasks.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 100)

type Step =
  | { do: 'begin'; kind: 'export' | 'batch'; waits: boolean }
  | { do: 'report' | 'finish' | 'fail' | 'stop' | 'pause' | 'resume'; which: number }
  | { do: 'kill' | 'close' }

const which = fc.nat({ max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('begin' as const),
    kind: fc.constantFrom('export' as const, 'batch' as const),
    waits: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('report', 'finish', 'fail', 'stop', 'pause', 'resume'), which }),
  fc.record({ do: fc.constantFrom('kill', 'close') }),
)

/** Work that reports and ends on request of the test, and obeys its signal. */
interface Controlled {
  task: Task
  end: (ending: Ending) => void
}

/** Consecutive engines on the same database. */
class Life {
  tasks: Tasks
  /** Work of the present engine, by task. */
  readonly working = new Map<number, Controlled>()
  /** States of each task as they were announced, by all engines. */
  readonly history = new Map<number, TaskState[]>()
  readonly #store: Store
  #elapsedMs = 0

  constructor(store: Store) {
    this.#store = store
    this.tasks = this.#opened()
  }

  #opened(): Tasks {
    this.working.clear()
    const clock = {
      now: () => this.#elapsedMs,
      elapsed: () => (this.#elapsedMs += 400),
      sleep: () => Promise.resolve(),
    }
    const tasks = openTasks({
      store: this.#store,
      world: { clock },
      onBug: (error) => {
        throw error
      },
    })
    tasks.onChange(({ task, state }) => {
      const states = this.history.get(task) ?? []
      if (states.at(-1) !== state) this.history.set(task, [...states, state])
    })
    return tasks
  }

  /** Opens the next engine; the work of the previous one never continues. */
  async reopen(): Promise<void> {
    this.tasks = this.#opened()
    await this.tasks.register('export')
    await this.tasks.register('batch', { resume: this.work })
  }

  readonly work = (task: Task): Promise<Ending> => {
    const { promise, resolve, reject } = Promise.withResolvers<Ending>()
    const abort = () => reject(task.signal.reason as Error)
    task.signal.addEventListener('abort', abort)
    if (task.signal.aborted) abort()
    this.working.set(task.id, { task, end: resolve })
    return promise.finally(() => this.working.delete(task.id))
  }

  list(): TaskSummary[] {
    return this.tasks.list({ limit: 1_000 })
  }

  async take(each: Step): Promise<void> {
    switch (each.do) {
      case 'begin': {
        const order = { subject: message('text', { text: 'a' }), startedBy: 'user' as const }
        const after = each.waits ? { after: Promise.resolve() } : {}
        this.tasks.begin(each.kind, { ...order, ...after }, this.work)
        break
      }
      case 'kill':
        await this.reopen()
        break
      case 'close':
        await this.tasks.close()
        await this.reopen()
        break
      default:
        await this.act(each.do, this.list().at(-1 - each.which))
    }
    // Lets the work of started and resumed tasks begin.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }

  async act(action: 'report' | 'finish' | 'fail' | 'stop' | 'pause' | 'resume', row: TaskSummary | undefined) {
    if (!row) return
    const working = this.working.get(row.task)
    const problem = message('text', { text: 'no' })
    if (action === 'report') working?.task.progress({ filesDone: row.filesDone + 1 })
    else if (action === 'finish') working?.end({ event: 'finished' })
    else if (action === 'fail') working?.end({ event: 'failed', code: 'refused', problem })
    else if (action === 'stop' && row.canStop) expect(isActiveTask((await this.tasks.stop(row.task)).state)).toBe(false)
    else if (action === 'pause' && row.canPause)
      expect(isActiveTask((await this.tasks.pause(row.task)).state)).toBe(false)
    else if (action === 'resume' && row.canResume) await this.tasks.resume(row.task)
  }
}

/** Whether the table leads from one state to the other, perhaps through states that were never announced because of a kill. */
function leadsTo(from: TaskState, to: TaskState): boolean {
  return taskStates.moves.some(
    (move) =>
      move.from === from &&
      (move.to === to ||
        (move.event === 'interrupted' && taskStates.moves.some((next) => next.from === move.to && next.to === to))),
  )
}

test('tasks follow their state table, and no kill leaves a task running', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = openStore(':memory:')
      const life = new Life(store)
      await life.reopen()
      const before = new Map<number, TaskSummary>()
      for (const each of steps) {
        await life.take(each)
        for (const row of life.list()) {
          expect(row.ended !== null, row.state).toBe(isEndedTask(row.state))
          // Only the present engine works on tasks.
          expect(isActiveTask(row.state), row.state).toBe(life.working.has(row.task))
          const earlier = before.get(row.task)
          if (earlier && each.do !== 'kill') {
            expect(row.filesDone).toBeGreaterThanOrEqual(earlier.filesDone)
            expect(row.runningMs).toBeGreaterThanOrEqual(earlier.runningMs)
          }
          before.set(row.task, row)
        }
      }
      for (const [task, states] of life.history) {
        for (const [at, state] of states.slice(1).entries()) {
          const from = states[at] ?? taskStates.initial
          expect(leadsTo(from, state), `task ${task}: ${from} to ${state}`).toBe(true)
        }
      }
      store.close()
    }),
    { numRuns },
  )
})
