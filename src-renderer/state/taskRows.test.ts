import { expect, test } from 'vitest'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { loading, type Loaded } from './loaded.ts'
import { taskRows, type TaskRowsState } from './taskRows.ts'

type Row = TaskSummary & { result: string | null }

const task = (number: number, more: Partial<Row> = {}): Row => ({
  ...{
    task: number,
    kind: 'export',
    state: 'RUNNING',
    stage: 'writing',
    startedBy: 'user',
    subject: { code: 'text' },
  },
  ...{ started: '2026-11-25T12:00:00.000Z', ended: null, runningMs: 0, problem: null, code: null },
  ...{ filesDone: 0, filesTotal: 1, bytesDone: 0, bytesTotal: 10, findings: 0, figures: {} },
  ...{ canStop: true, canPause: false, canResume: false, result: null },
  ...more,
})
const done = { state: 'DONE', ended: '2026-11-25T12:01:00.000Z', bytesDone: 10 } as const

/** Rows over an engine that has `listed`, and what reports its events. */
function rowsOver(listed: () => Row[]) {
  let state: TaskRowsState<Row> = { rows: loading, samples: {} }
  let report: (changed: TaskSummary) => void = () => undefined
  let asked = 0
  const rows = taskRows<Row>({
    tasks: { changed: (listener) => ((report = listener), () => undefined) },
    kind: 'export',
    get: () => state,
    set: (changed) => (state = changed),
    async load(): Promise<Loaded<Row[]>> {
      asked += 1
      return { is: 'ready', value: listed() }
    },
  })
  const shown = () =>
    state.rows.is === 'ready' ? state.rows.value.map((row) => [row.task, row.state, row.bytesDone, row.result]) : []
  return { rows, report: (changed: TaskSummary) => report(changed), shown, asked: () => asked }
}

const settled = () => new Promise(setImmediate)

test('progress updates a row in place; an end loads the details of its kind', async () => {
  let listed = [task(2), task(1)]
  const { rows, report, shown, asked } = rowsOver(() => listed)
  await rows.load()
  report(task(1, { bytesDone: 4 }))
  report(task(7, { kind: 'batch' }))
  await settled()
  expect([shown(), asked()]).toEqual([[[2, 'RUNNING', 0, null], [1, 'RUNNING', 4, null]], 1]) // prettier-ignore
  listed = [task(2), task(1, { ...done, result: 'a file' })]
  report(task(1, done))
  await settled()
  expect([shown(), asked()]).toEqual([[[2, 'RUNNING', 0, null], [1, 'DONE', 10, 'a file']], 2]) // prettier-ignore
})

test('a task that was started elsewhere is loaded once, even if it reports several times meanwhile', async () => {
  let listed = [task(1)]
  const { rows, report, shown, asked } = rowsOver(() => listed)
  await rows.load()
  listed = [task(2), task(1)]
  for (const bytesDone of [0, 1, 2]) report(task(2, { bytesDone }))
  await settled()
  expect([shown().map(([number]) => number), asked()]).toEqual([[2, 1], 2])
})

test('the end of a short task may arrive before the reply to its start', async () => {
  let listed: Row[] = []
  const { rows, report, shown } = rowsOver(() => listed)
  await rows.load()
  const answer = Promise.withResolvers<Row>()
  const ordered = rows.order(() => answer.promise)
  listed = [task(1, { ...done, result: 'a file' })]
  report(task(1, done))
  await settled()
  answer.resolve(task(1))
  await ordered
  expect(shown()).toEqual([[1, 'DONE', 10, 'a file']])
})
