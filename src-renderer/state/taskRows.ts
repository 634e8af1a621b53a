/** The rows of one kind of task: loaded as a list, and kept up to date by the event of all tasks. What only the kind has is not in that
 *  event, so the list is loaded again when one of its tasks has begun elsewhere or has ended. */
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { liveRows } from './liveRows.ts'
import { valueOf, type Loaded } from './loaded.ts'
import { seen, type ProgressSample } from './pace.ts'
import { throttled } from './throttled.ts'

/** A task that was started elsewhere reports its progress before its row is loaded; the list is requested at most this often for that. */
const reloadIntervalMs = 1_000

/** The part of a store that has the rows. */
export interface TaskRowsState<Row> {
  /** Newest first. */
  rows: Loaded<Row[]>
  /** Observed progress of each running task. */
  samples: Readonly<Record<number, ProgressSample[]>>
}

export interface TaskRowsGiven<Row> {
  tasks: Pick<Loupe['tasks'], 'changed'>
  kind: TaskSummary['kind']
  get: () => TaskRowsState<Row>
  set: (changed: TaskRowsState<Row>) => void
  /** Requests the list. */
  load: () => Promise<Loaded<Row[]>>
}

export interface TaskRows<Row> {
  load(): Promise<void>
  /** Runs a request that is answered with a row, and shows the row. Rejects as the request does. */
  order(request: () => Promise<Row>): Promise<void>
}

/** Subscribes to the tasks of a kind. */
export function taskRows<Row extends TaskSummary>({ tasks, kind, get, set, load }: TaskRowsGiven<Row>): TaskRows<Row> {
  const live = liveRows<Row>(({ task }) => task)
  /** The last event of each task. The answer to a start may come after the end of a short task. */
  const lastEvents = new Map<number, TaskSummary>()

  const merged = (row: Row, task: TaskSummary): Row => ({
    ...row,
    ...task,
    figures: { ...row.figures, ...task.figures },
  })

  function take(into: (known: Loaded<Row[]>, row: Row) => Loaded<Row[]>, row: Row): void {
    const { rows, samples } = get()
    const sample = { atMs: performance.now(), done: row.bytesDone }
    set({
      rows: into(rows, row),
      samples: { ...samples, [row.task]: seen(samples[row.task] ?? [], sample) },
    })
  }

  async function reload(): Promise<void> {
    const answered = live.ask()
    const rows = answered(await load())
    if (rows) set({ ...get(), rows })
  }

  const reloadForUnknown = throttled(() => void reload(), reloadIntervalMs)
  tasks.changed((task) => {
    if (task.kind !== kind) return
    lastEvents.set(task.task, task)
    const row = valueOf(get().rows)?.find((one) => one.task === task.task)
    if (row) take(live.update, merged(row, task))
    if (task.ended !== null) void reload()
    else if (!row) reloadForUnknown()
  })

  return {
    load: reload,
    async order(request) {
      const answered = live.order()
      const row = await request()
      const last = row.ended === null ? lastEvents.get(row.task) : undefined
      // The list was loaded at its end and has more than this answer.
      if (last && last.ended !== null) return
      take(answered, last ? merged(row, last) : row)
    },
  }
}
