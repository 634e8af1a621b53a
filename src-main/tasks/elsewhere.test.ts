import { describe, expect, test } from 'vitest'
import { Fault } from '../contract/calls/faults.ts'
import { message } from '../contract/words/message.ts'
import { openStore } from '../storage/storage.ts'
import type { TaskAction } from './task.ts'
import { openRecords } from './taskRecords.ts'
import { openTasks } from './tasks.ts'

/** Tasks of a part that records requests; the test moves the task as that part would. */
async function opened({ isRunning = true } = {}) {
  const store = openStore(':memory:')
  const clock = { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() }
  const tasks = openTasks({ store, world: { clock }, onBug: (error) => expect.unreachable(String(error)) })
  const records = openRecords(store, clock, () => undefined)
  const id = records.add('import', { subject: message('text', { text: 'a' }), startedBy: 'user' })
  records.move(id, 'begun')
  const requests: TaskAction[] = []
  const elsewhere = {
    isRunning,
    allowed: () => ({ canStop: true, canPause: false, canResume: true }),
    act(task: number, action: TaskAction) {
      requests.push(action)
      if (action === 'stop') records.move(task, 'stop')
    },
  }
  await tasks.register('import', { elsewhere })
  return { tasks, records, id, requests }
}

describe('a task whose work runs in another module', () => {
  test('stays with that module after a start, which reports the possible actions', async () => {
    const { tasks, id } = await opened()
    expect(tasks.one(id)).toMatchObject({ state: 'RUNNING', canStop: true, canPause: false, canResume: true })
  })

  test('is stopped by a request, which resolves when that part has stopped it', async () => {
    const { tasks, records, id, requests } = await opened()
    const seen: string[] = []
    tasks.onChange(({ state }) => seen.push(state))
    const [one, other] = [tasks.stop(id), tasks.stop(id)]
    tasks.announce(id)
    records.move(id, 'stopped')
    tasks.announce(id)
    expect((await one).state).toBe('STOPPED')
    expect(await other).toEqual(await one)
    expect([requests, seen]).toEqual([
      ['stop', 'stop'],
      ['STOPPING', 'STOPPED'],
    ])
  })

  test('refuses what that part does not allow', async () => {
    const { tasks, id, requests } = await opened()
    await expect(tasks.pause(id)).rejects.toMatchObject({ code: 'refused', userMessage: { code: 'task.noPause' } })
    expect(requests).toEqual([])
  })

  test('is not waited for when that part does not run, nor after the tasks are closed', async () => {
    const idle = await opened({ isRunning: false })
    expect((await idle.tasks.stop(idle.id)).state).toBe('STOPPING')
    const { tasks, id } = await opened()
    const stopping = tasks.stop(id)
    await tasks.close()
    await expect(stopping).rejects.toBeInstanceOf(Fault)
  })
})
