import { expect, test } from 'vitest'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { rateOf } from './pace.ts'
import { makeTasks, progressOf, tasksListedMax } from './tasks.ts'
import { event, now, servicesWith } from './testing/storeFixtures.ts'

const task = (number: number, more: Partial<TaskSummary> = {}): TaskSummary => ({
  ...{ task: number, kind: 'export', state: 'RUNNING', stage: null, startedBy: 'user', subject: { code: 'text', values: { text: 'x' } } },
  ...{ started: now, ended: null, runningMs: 0, problem: null, code: null, findings: 0, figures: {} },
  ...{ filesDone: 0, filesTotal: 1, bytesDone: 0, bytesTotal: 10, canStop: true, canPause: false, canResume: false },
  ...more,
}) // prettier-ignore

const ended = { state: 'DONE', ended: now, canStop: false } as const

function storeOver(listed: TaskSummary[], more: object = {}) {
  const changed = event<TaskSummary>()
  const store = makeTasks(servicesWith({ tasks: { list: async () => listed, changed: changed.listen, ...more } }))
  const shown = () => {
    const { tasks } = store.getState()
    return tasks.is === 'ready' ? tasks.value.map((one) => [one.task, one.state]) : tasks.is
  }
  return { store, shown, report: changed.emit }
}

test('tasks of every kind are listed, newest first, and events change them and add new ones', async () => {
  const { store, shown, report } = storeOver([task(2), task(1, ended)])
  report(task(2))
  expect(shown()).toBe('loading')
  await store.getState().load()
  report(task(3, { kind: 'checksums' }))
  report(task(2, ended))
  expect(shown()).toEqual([[3, 'RUNNING'], [2, 'DONE'], [1, 'DONE']]) // prettier-ignore
})

test('the list has a bound, but running tasks stay in it', async () => {
  const { store, shown, report } = storeOver([task(1), task(2, ended)])
  await store.getState().load()
  for (let number = 3; number < tasksListedMax + 10; number++) report(task(number, ended))
  const rows = shown()
  expect(rows).toHaveLength(tasksListedMax + 1)
  expect(rows).toContainEqual([1, 'RUNNING'])
  expect(rows).not.toContainEqual([2, 'DONE'])
})

test('progress gives a rate while a task runs, and is forgotten at its end', async () => {
  const { store, report } = storeOver([task(1)])
  await store.getState().load()
  report(task(1, { bytesDone: 1 }))
  report(task(1, { bytesDone: 4 }))
  expect(store.getState().samples[1]?.map(({ done }) => done)).toEqual([1, 4])
  // They are too close to each other.
  expect(rateOf(store.getState().samples[1] ?? [])).toBeUndefined()
  report(task(1, { ...ended, bytesDone: 10 }))
  expect(store.getState().samples).toEqual({})
})

test('a task without bytes is measured by its files', () => {
  expect(progressOf(task(1, { bytesDone: 5 }))).toEqual({ unit: 'bytes', done: 5, total: 10 })
  expect(progressOf(task(1, { bytesTotal: 0, filesDone: 1, filesTotal: 3 }))).toEqual({
    ...{ unit: 'files', done: 1, total: 3 },
  })
})

test('a refused action is kept until the next', async () => {
  const asked: string[] = []
  const { store } = storeOver([task(1)], {
    stop: async () => Promise.reject(new Fault('refused', 'it has ended')),
    pause: async () => (asked.push('pause'), task(1)),
  })
  await store.getState().act('stop', 1)
  expect(store.getState().refusal).toMatchObject({ code: 'refused' })
  await store.getState().act('pause', 1)
  expect([asked, store.getState().refusal]).toEqual([['pause'], null])
})
